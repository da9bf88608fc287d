#include "base/codec.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

using namespace blockarch;

namespace {

Bytes random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

void check_corrupt(const Result<Bytes>& result) {
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::corrupt);
}

}  // namespace

TEST_CASE("frames bring back what was compressed") {
  for (const std::size_t size : {0, 1, 100, 70'000, 300'000}) {
    for (const int level : {1, kDefaultZstdLevel, 19}) {
      const Bytes bytes = random_bytes(size / 2, 1) + Bytes(size - size / 2, 'x');
      const Bytes frame = zstd_compress(bytes, level);
      const auto back = zstd_decompress(frame, size);
      REQUIRE(back);
      CHECK(*back == bytes);
    }
  }
}

TEST_CASE("a frame made against a prefix is small, and needs that prefix") {
  const Bytes prefix = random_bytes(100'000, 2);
  Bytes bytes = prefix;
  bytes.replace(50'000, 5, "hello");
  const Bytes frame = zstd_compress(bytes, kDefaultZstdLevel, prefix);
  CHECK(frame.size() < 1'000);
  const auto back = zstd_decompress(frame, bytes.size(), prefix);
  REQUIRE(back);
  CHECK(*back == bytes);
  check_corrupt(zstd_decompress(frame, bytes.size()));
}

TEST_CASE("a prefix holds for one frame only") {
  const Bytes prefix = random_bytes(10'000, 3);
  const Bytes with = zstd_compress(prefix, kDefaultZstdLevel, prefix);
  const Bytes without = zstd_compress(prefix);
  CHECK(without.size() > 9'000);
  CHECK(*zstd_decompress(with, prefix.size(), prefix) == prefix);
  CHECK(*zstd_decompress(without, prefix.size()) == prefix);
}

TEST_CASE("a frame of another size than said is corrupt") {
  const Bytes frame = zstd_compress(Bytes(1000, 'x') + random_bytes(1000, 4));
  check_corrupt(zstd_decompress(frame, 1999));
  check_corrupt(zstd_decompress(frame, 2001));
  check_corrupt(zstd_decompress(frame, 0));
}

TEST_CASE("a frame cut short or followed by garbage is corrupt") {
  const Bytes bytes = Bytes(1000, 'x') + random_bytes(100, 5);
  const Bytes frame = zstd_compress(bytes);
  for (std::size_t length = 0; length < frame.size(); ++length) {
    INFO(length);
    check_corrupt(zstd_decompress(ByteView(frame).substr(0, length), bytes.size()));
  }
  check_corrupt(zstd_decompress(frame + "x", bytes.size()));
}

TEST_CASE("bytes that are no frame are corrupt") {
  check_corrupt(zstd_decompress("", 1));
  check_corrupt(zstd_decompress("garbage garbage garbage", 10));
  for (unsigned seed = 0; seed < 50; ++seed) check_corrupt(zstd_decompress(random_bytes(200, seed), 1000));
}

TEST_CASE("a changed frame is corrupt or decodes to exactly the size asked for") {
  const Bytes bytes = Bytes(3000, 'x') + random_bytes(300, 6) + Bytes(3000, 'y');
  const Bytes frame = zstd_compress(bytes);
  for (std::size_t i = 0; i < frame.size(); ++i) {
    Bytes changed = frame;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    const auto back = zstd_decompress(changed, bytes.size());
    if (back) {
      CHECK(back->size() == bytes.size());
    } else {
      CHECK(back.error().code == ErrorCode::corrupt);
    }
  }
  CHECK(*zstd_decompress(frame, bytes.size()) == bytes);
}
