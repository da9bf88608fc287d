// What a faulty program may write into a pack with right checksums, and what the decoders say to it.
#include <catch2/catch_test_macros.hpp>

#include "pack/directory.h"
#include "pack/format.h"

namespace blockarch {
namespace {

TEST_CASE("a directory does not say that a frame holds more objects than bytes") {
  PackDirectory directory;
  FrameEntry frame;
  frame.type = FrameType::content;
  frame.stored_size = 5;
  frame.raw_size = 5;
  frame.count = 5;
  directory.frames.push_back(frame);
  const std::uint64_t end = kPackMagicSize + 5;
  CHECK(decode_directory(encode_directory(directory), end).has_value());
  directory.frames[0].count = 6;
  CHECK(!decode_directory(encode_directory(directory), end).has_value());
  directory.frames[0].count = UINT32_MAX;
  CHECK(!decode_directory(encode_directory(directory), end).has_value());
}

}  // namespace
}  // namespace blockarch
