// Any bytes, as any kind of document: visible blocks nest, labels and topics are the same every time, and a topic is a
// function of the block's own bytes.
//
// Byte 0 chooses the media type and the charset, byte 1 the level and the topic's options, the rest is the payload.
#include <array>
#include <cstdint>

#include "base/charset.h"
#include "segment/auto.h"
#include "segment/describe.h"
#include "tests/fuzz/require.h"

using namespace blockarch;

namespace {

DescribeOptions options_from(std::uint8_t kind, std::uint8_t level) {
  static constexpr std::array<const char*, 6> kTypes = {"text/html",  "",         "application/xhtml+xml",
                                                        "text/plain", "text/xml", "application/rss+xml"};
  static constexpr std::array<const char*, 4> kCharsets = {"utf-8", "windows-1252", "gbk", "utf-16le"};
  DescribeOptions options;
  options.page.media_type = kTypes[kind % kTypes.size()];
  options.page.charset = kCharsets[kind / 64];
  options.page.level = level % 8;
  options.topics = {.theta = 1u + level % 12, .delta = level % 30u, .epsilon = level % 3u};
  return options;
}

bool same(const DescribedBlock& a, const DescribedBlock& b) {
  return a.begin == b.begin && a.end == b.end && a.parent == b.parent && a.level == b.level && a.label == b.label &&
         a.topic == b.topic && a.path == b.path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const DescribeOptions options = options_from(data[0], data[1]);
  const ByteView payload(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto blocks = describe_page(payload, auto_segmenter(), options);
  const auto again = describe_page(payload, auto_segmenter(), options);
  require(!blocks.empty() && blocks.size() == again.size(), "the second time gave other blocks");
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const DescribedBlock& block = blocks[i];
    require(same(block, again[i]), "the second time gave another block");
    require(block.begin <= block.end && block.end <= payload.size(), "a block is outside of the page");
    require(is_valid_utf8(block.topic), "a topic is no UTF-8");
    if (block.parent == kNoParent) continue;
    require(block.parent < i, "a parent stands behind its child");
    const DescribedBlock& parent = blocks[block.parent];
    require(parent.begin <= block.begin && block.end <= parent.end, "a block is outside of its parent");
    require(block.level == parent.level + 1, "a level is not one more than the parent's");
  }
  const Segmentation stored = auto_segmenter().segment(payload, options.page);
  require(describe_regions(payload, stored, options).size() == stored.regions.size(), "a region is not described");
  return 0;
}
