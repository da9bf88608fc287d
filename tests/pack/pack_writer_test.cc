#include "pack/pack_writer.h"

#include <catch2/generators/catch_generators.hpp>

#include "pack/frames.h"
#include "pack/pack.h"
#include "tests/support/temporary_directory.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

Bytes block(int n) {
  Bytes bytes;
  for (int i = 0; i < 60; ++i) bytes += "word" + std::to_string((n * 7 + i * i) % 101) + " ";
  return bytes;
}

}  // namespace

TEST_CASE("what is written into a pack is read from it, by number and by id") {
  const auto codec = GENERATE(FrameCodec::zstd, FrameCodec::deflate, FrameCodec::stored);
  TemporaryDirectory directory;
  const std::string path = directory.file("one.pack");
  PackWriter writer = PackWriter::create(posix_files(), path, {codec, 6}).value();
  FrameCompressor compressor({codec, 6}, 1);
  std::shared_ptr<const Bytes> root_raw;
  std::uint32_t root = 0;
  for (int frame = 0; frame < 3; ++frame) {
    std::vector<std::pair<ObjectKind, Bytes>> objects;
    std::vector<Hash256> ids;
    for (int i = 0; i < 50; ++i) {
      objects.emplace_back(ObjectKind::block, block(frame * 50 + i));
      ids.push_back(hash_object(ObjectKind::block, objects.back().second));
    }
    const auto raw = std::make_shared<const Bytes>(ContentFrame::encode(objects));
    const bool first = frame == 0;
    const auto number =
        writer.add_contents(FrameType::content, ids, compressor.compress(raw, first ? nullptr : root_raw).get(),
                            first ? std::nullopt : std::optional(root));
    REQUIRE(number);
    if (first) root_raw = raw, root = *number;
  }
  REQUIRE(writer.add_list(blake3("a list"), {{{3, false}, {140, false}}}));
  const std::uint32_t type = writer.type_number({"text/html", "utf-8", "auto", 0});
  CHECK(writer.type_number({"text/html", "utf-8", "auto", 0}) == type);
  VersionRecipe recipe{
      .type = type, .payload_size = 10, .layout = {1, false}, .nodes = {{.opens_slot = true, .content = {2, false}}}};
  REQUIRE(writer.add_version({blake3("v"), 42, 1000, blake3("t")}, recipe));
  CHECK(writer.external_content(blake3("x")) == 0);
  CHECK(writer.external_content(blake3("y")) == 1);
  CHECK(writer.external_content(blake3("x")) == 0);
  const Hash256 name = writer.finish().value();

  const auto pack = Pack::open(posix_files(), path, std::make_shared<FrameCache>(1 << 20)).value();
  CHECK(pack->name() == name);
  CHECK(pack->check_trailer());
  for (std::uint32_t n = 0; n < 150; ++n) {
    const auto content = pack->content(n).value();
    CHECK(content.bytes() == block(static_cast<int>(n)));
    bool found = false;
    const auto frames = pack->candidate_frame_numbers(head_of(content.id()), 64).value();
    for (const std::uint32_t frame : frames) {
      found = found || pack->frame_ids(frame).value()->find(content.id()).has_value();
    }
    CHECK(found);
  }
  CHECK_FALSE(pack->content(150));
  CHECK(pack->list(0).value().chunks.size() == 2);
  CHECK(pack->version(0).value() == recipe);
  CHECK(pack->version_id(0).value() == blake3("v"));
  CHECK(pack->payload_head(0).value() == 42);
  CHECK(pack->version_ordinal(1000) == 0);
  CHECK_FALSE(pack->version_ordinal(0));
  CHECK(pack->external_content(1).value() == blake3("y"));
  for (int i = 0; i < 20; ++i) CHECK(pack->versions_with_payload(42).value() == std::vector<std::uint32_t>{0});
  CHECK(pack->versions_with_payload(43).value().empty());
}
