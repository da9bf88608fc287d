#include "refs/archive_format.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {
namespace {

ErrorCode code_of(ByteView bytes) {
  const auto format = decode_archive_format(bytes);
  REQUIRE(!format);
  return format.error().code;
}

TEST_CASE("the format file is these two lines") {
  CHECK(encode_archive_format() == "blockarch archive 1\nhash blake3\n");
  const auto format = decode_archive_format(encode_archive_format());
  REQUIRE(format);
  CHECK(format->version == kFormatVersion);
}

TEST_CASE("a newer format is told apart from damage, whatever its other lines are") {
  for (const char* text : {"blockarch archive 2\n", "blockarch archive 4294967295\nhash other\nmore\n"}) {
    CHECK(code_of(text) == ErrorCode::unsupported);
  }
  CHECK(decode_archive_format("blockarch archive 7\n").error().message ==
        "archive format 7 is newer than this program knows (1): use a newer blockarch");
}

TEST_CASE("anything else is no format file") {
  const Bytes whole = encode_archive_format();
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK(code_of(whole.substr(0, size)) == ErrorCode::corrupt);
  CHECK(code_of(whole + "\n") == ErrorCode::corrupt);
  CHECK(code_of("\n" + whole) == ErrorCode::corrupt);
  for (const char* version : {"", "0", "00", "01", "-1", "+1", " 1", "1 ", "1\r", "x", "99999999999999999999"}) {
    CHECK(code_of("blockarch archive " + std::string(version) + "\nhash blake3\n") == ErrorCode::corrupt);
  }
  CHECK(code_of("blockarch archive 1\nhash sha256\n") == ErrorCode::corrupt);
}

}  // namespace
}  // namespace blockarch
