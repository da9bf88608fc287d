#include "transfer/export_git_delta.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "tests/support/sample_pages.h"

namespace blockarch {
namespace {

std::uint64_t take_size(ByteView& delta) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(delta.at(0));
    delta.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
}

// As gitformat-pack says.
Bytes applied(ByteView base, ByteView delta) {
  REQUIRE(take_size(delta) == base.size());
  const std::uint64_t size = take_size(delta);
  Bytes out;
  while (!delta.empty()) {
    const auto op = static_cast<unsigned char>(delta[0]);
    delta.remove_prefix(1);
    REQUIRE(op != 0);
    if (op < 0x80) {
      REQUIRE(delta.size() >= op);
      out.append(delta.substr(0, op));
      delta.remove_prefix(op);
      continue;
    }
    std::uint64_t from = 0;
    std::uint64_t count = 0;
    for (unsigned i = 0; i < 7; ++i) {
      if ((op & (1U << i)) == 0) continue;
      const std::uint64_t byte = static_cast<unsigned char>(delta.at(0));
      delta.remove_prefix(1);
      if (i < 4) {
        from |= byte << (8 * i);
      } else {
        count |= byte << (8 * (i - 4));
      }
    }
    if (count == 0) count = 0x10000;
    REQUIRE(from + count <= base.size());
    out.append(base.substr(from, count));
  }
  REQUIRE(out.size() == size);
  return out;
}

Bytes noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

}  // namespace

TEST_CASE("the difference of a page that changed in one place is short and gives the page back") {
  const Bytes before = sample_page(40);
  const Bytes after = sample_page(40, 20, "a few more words");
  const auto delta = git_delta(before, after, after.size());
  REQUIRE(delta);
  CHECK(delta->size() < 200);
  CHECK(applied(before, *delta) == after);
}

TEST_CASE("differences give the target back whatever is moved, cut, repeated or new") {
  const Bytes a = noise(100'000, 1);
  const Bytes b = noise(3'000, 2);
  const Bytes zeros(200'000, '\0');
  const std::vector<std::pair<Bytes, Bytes>> cases = {
      {a, a},
      {a, a.substr(50'000) + b + a.substr(0, 50'000)},
      {a, b + a + b},
      {a, a.substr(17, 70'001)},
      {a, ""},
      {a, "x"},
      {zeros, zeros + a + zeros},
      {zeros + a, a + zeros},
      {Bytes(16, 'x'), Bytes(1000, 'x')},
      {a + a, a + b + a},
  };
  for (const auto& [base, target] : cases) {
    const auto delta = git_delta(base, target, target.size() * 2 + 100);
    REQUIRE(delta);
    CHECK(applied(base, *delta) == target);
  }
}

TEST_CASE("pages that have nothing in common have no difference within the limit") {
  CHECK_FALSE(git_delta(noise(10'000, 1), noise(10'000, 2), 5'000));
  CHECK_FALSE(git_delta("short", noise(100, 1), 1'000));
}

TEST_CASE("copies of more than 16 MiB are taken apart") {
  const Bytes base(std::size_t{20} << 20, 'a');
  GitDeltaBuilder delta(base.size(), base.size() + 1);
  delta.copy(0, base.size());
  delta.insert("b");
  CHECK(applied(base, delta.take()) == base + "b");
}

}  // namespace blockarch
