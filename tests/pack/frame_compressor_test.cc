#include "pack/frame_compressor.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "base/codec.h"

using namespace blockarch;

namespace {

using Shared = std::shared_ptr<const Bytes>;

Shared page_of(unsigned seed, std::size_t size) {
  std::mt19937 random(seed);
  Bytes bytes;
  while (bytes.size() < size)
    bytes += "<p class=\"c" + std::to_string(random() % 1000) + "\">" + std::to_string(random());
  return std::make_shared<const Bytes>(bytes.substr(0, size));
}

Shared changed(const Bytes& bytes, unsigned seed) {
  std::mt19937 random(seed);
  Bytes made = bytes;
  for (int i = 0; i < 20; ++i) made[random() % made.size()] = 'x';
  return std::make_shared<const Bytes>(made);
}

// Frames with prefixes and without, larger and smaller than them, several times each prefix.
std::vector<std::pair<Shared, Shared>> frames() {
  std::vector<std::pair<Shared, Shared>> made;
  for (unsigned p = 0; p < 3; ++p) {
    const Shared prefix = page_of(p, 300'000 + p);
    made.emplace_back(prefix, nullptr);
    for (unsigned i = 0; i < 4; ++i) made.emplace_back(changed(*prefix, i), prefix);
    made.emplace_back(std::make_shared<const Bytes>(prefix->substr(1000, 50'000)), prefix);
    made.emplace_back(std::make_shared<const Bytes>(*prefix + *prefix + *prefix), prefix);
    made.emplace_back(std::make_shared<const Bytes>(), prefix);
  }
  return made;
}

std::vector<CompressedFrame> compress_all(const PackCodec& codec, unsigned threads) {
  FrameCompressor compressor(codec, threads);
  std::vector<std::future<CompressedFrame>> waiting;
  for (const auto& [raw, prefix] : frames()) waiting.push_back(compressor.compress(raw, prefix));
  std::vector<CompressedFrame> done;
  for (auto& frame : waiting) done.push_back(frame.get());
  return done;
}

}  // namespace

TEST_CASE("frames come back from what they were compressed to, each with its own prefix") {
  for (const int level : {1, 6, 12, 15}) {
    const auto done = compress_all({FrameCodec::zstd, level}, 2);
    const auto all = frames();
    REQUIRE(done.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [raw, prefix] = all[i];
      REQUIRE(done[i].codec == FrameCodec::zstd);
      CHECK(done[i].raw_size == raw->size());
      const auto back = zstd_decompress(done[i].stored, raw->size(), prefix ? ByteView(*prefix) : ByteView());
      REQUIRE(back);
      CHECK(*back == *raw);
      if (prefix) CHECK(done[i].stored.size() < 1000);
    }
  }
}

TEST_CASE("what comes out is the same for any number of threads") {
  for (const PackCodec& codec : {PackCodec{FrameCodec::zstd, 12}, PackCodec{FrameCodec::deflate, 4}}) {
    const auto alone = compress_all(codec, 1);
    const auto together = compress_all(codec, 3);
    for (std::size_t n = 0; n < alone.size(); ++n) CHECK(alone[n].stored == together[n].stored);
  }
}

TEST_CASE("a prefix that begins like a dictionary of zstd is bytes like any other") {
  const Shared prefix = std::make_shared<const Bytes>(Bytes("\x37\xa4\x30\xec", 4) + *page_of(1, 100'000));
  const Shared raw = changed(*prefix, 1);
  FrameCompressor compressor({}, 1);
  const CompressedFrame frame = compressor.compress(raw, prefix).get();
  CHECK(frame.stored.size() < 1000);
  const auto back = zstd_decompress(frame.stored, raw->size(), *prefix);
  REQUIRE(back);
  CHECK(*back == *raw);
}

TEST_CASE("what does not get smaller is stored as it is") {
  std::mt19937 random(7);
  Bytes noise(10'000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  FrameCompressor compressor({}, 1);
  const CompressedFrame frame = compressor.compress(std::make_shared<const Bytes>(noise), nullptr).get();
  CHECK(frame.codec == FrameCodec::stored);
  CHECK(frame.stored == noise);
}

TEST_CASE("a compressor that ends early drops what waits") {
  std::vector<std::future<CompressedFrame>> waiting;
  {
    FrameCompressor compressor({}, 2);
    for (unsigned i = 0; i < 40; ++i) waiting.push_back(compressor.compress(page_of(i, 400'000), nullptr));
  }
  for (auto& frame : waiting) CHECK(frame.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
}
