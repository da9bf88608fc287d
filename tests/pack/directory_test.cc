#include "pack/directory.h"

#include "tests/support/decoder_checks.h"

using namespace blockarch;

namespace {

constexpr std::uint64_t kEnd = kPackMagicSize + 500 + 300 + 80 + 80;

PackDirectory an_example() {
  PackDirectory directory;
  directory.types = {{"text/html", "utf-8", "auto", 0}, {"image/png", "", "whole", 2}};
  directory.version_numbers = {{100, 0, 1}, {7, 1, 1}};
  directory.metadata_numbers = {};
  FrameEntry root;
  root.type = FrameType::content;
  root.codec = FrameCodec::zstd;
  root.stored_size = 500;
  root.raw_size = 2000;
  root.checksum = 77;
  root.count = 3;
  FrameEntry leaf = root;
  leaf.stored_size = 300;
  leaf.prefix = 0;
  leaf.count = 4;
  FrameEntry recipes;
  recipes.type = FrameType::recipe;
  recipes.stored_size = recipes.raw_size = 80;
  recipes.count = 2;
  recipes.lists = 1;
  FrameEntry versions;
  versions.type = FrameType::versions;
  versions.stored_size = versions.raw_size = 80;
  versions.count = 2;
  directory.frames = {root, leaf, recipes, versions};
  return directory;
}

}  // namespace

TEST_CASE("a directory comes back with everything numbered") {
  const PackDirectory read = decode_directory(encode_directory(an_example()), kEnd).value();
  CHECK(read.types == an_example().types);
  CHECK(read.version_numbers == an_example().version_numbers);
  CHECK(read.contents == 7);
  CHECK(read.lists == 1);
  CHECK(read.versions == 2);
  REQUIRE(read.frames.size() == 4);
  CHECK(read.frames[1].offset == kPackMagicSize + 500);
  CHECK(read.frames[1].first == 3);
  CHECK(read.frames[1].prefix == 0);
  CHECK(encode_directory(read) == encode_directory(an_example()));
}

TEST_CASE("a damaged directory is refused or decodes to what encodes to the same bytes") {
  check_decoder(
      encode_directory(an_example()), [](ByteView bytes) { return decode_directory(bytes, kEnd); }, encode_directory);
}

TEST_CASE("a directory that does not fit its file is refused") {
  CHECK_FALSE(decode_directory(encode_directory(an_example()), kEnd + 1));
  CHECK_FALSE(decode_directory(encode_directory(an_example()), kEnd - 1));
  PackDirectory directory = an_example();
  SECTION("numbers for more versions than there are") {
    directory.version_numbers.push_back({500, 2, 1});
  }
  SECTION("a prefix that has one itself") {
    directory.frames[0].prefix = std::nullopt;
    directory.frames.push_back(directory.frames[1]);
    directory.frames.back().prefix = 1;
  }
  SECTION("version ids that are missing") {
    directory.frames.pop_back();
  }
  CHECK_FALSE(decode_directory(encode_directory(directory), kEnd));
}

TEST_CASE("a newer directory is refused as such") {
  Bytes bytes = encode_directory(an_example());
  bytes[0] = 2;
  const auto read = decode_directory(bytes, kEnd);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ErrorCode::unsupported);
}
