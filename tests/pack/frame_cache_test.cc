#include "pack/frame_cache.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

struct Sized : Frame {
  explicit Sized(std::size_t n) : size(n) {}
  std::size_t memory() const override { return size; }
  std::size_t size;
};

}  // namespace

TEST_CASE("the cache keeps what was used last and stays within its size") {
  FrameCache cache(100);
  for (std::uint32_t i = 0; i < 5; ++i) cache.put(1, i, std::make_shared<Sized>(30));
  CHECK(cache.find(1, 0) == nullptr);
  CHECK(cache.find(1, 1) == nullptr);
  REQUIRE(cache.find(1, 2) != nullptr);  // used again, so 3 goes next
  cache.put(1, 9, std::make_shared<Sized>(30));
  CHECK(cache.find(1, 2) != nullptr);
  CHECK(cache.find(1, 3) == nullptr);
  CHECK(cache.find(2, 2) == nullptr);
}

TEST_CASE("a frame larger than the cache is kept alone, and one in use lives on when it is dropped") {
  FrameCache cache(100);
  cache.put(1, 0, std::make_shared<Sized>(30));
  const auto held = cache.find(1, 0);
  cache.put(1, 1, std::make_shared<Sized>(1000));
  CHECK(cache.find(1, 0) == nullptr);
  CHECK(cache.find(1, 1) != nullptr);
  CHECK(held->memory() == 30);
}

TEST_CASE("a cache that is made smaller drops what no longer fits") {
  FrameCache cache(100);
  for (std::uint32_t i = 0; i < 3; ++i) cache.put(1, i, std::make_shared<Sized>(30));
  CHECK(cache.set_capacity(40) == 100);
  CHECK(cache.find(1, 1) == nullptr);
  CHECK(cache.find(1, 2) != nullptr);
  CHECK(cache.set_capacity(100) == 40);
  cache.put(1, 3, std::make_shared<Sized>(60));
  CHECK(cache.find(1, 2) != nullptr);
}
