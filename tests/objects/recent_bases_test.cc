#include "objects/recent_bases.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("recent bases are found by id, and the oldest ones go when there are too many") {
  RecentBases recent;
  const auto content = [](int n) { return Bytes(100'000, static_cast<char>('a' + n % 26)) + std::to_string(n); };
  const auto id = [&](int n) { return blake3(content(n)); };
  CHECK(recent.find(id(0)) == nullptr);
  for (int n = 0; n < 100; ++n) {
    recent.add(id(n), content(n));
    REQUIRE(recent.find(id(n)));
    CHECK(*recent.find(id(n)) == content(n));
  }
  CHECK(recent.find(id(0)) == nullptr);
  CHECK(recent.find(id(90)));
}

TEST_CASE("what is in use stays when it is no longer recent, and what is too large is not kept") {
  RecentBases recent;
  const Bytes first(500'000, 'x');
  recent.add(blake3(first), first);
  recent.add(blake3(first), first);
  const auto used = recent.find(blake3(first));
  for (int n = 0; n < 20; ++n) recent.add(blake3(std::to_string(n)), Bytes(500'000, 'y'));
  CHECK(recent.find(blake3(first)) == nullptr);
  CHECK(*used == first);
  const Bytes large(2'000'000, 'z');
  recent.add(blake3(large), large);
  CHECK(recent.find(blake3(large)) == nullptr);
}
