// Any bytes, as any kind of document, at any level: regions are well formed, the same every time, and the
// page joins again from its blocks and layout.
//
// Byte 0 chooses the media type and the charset, byte 1 the level, the rest is the payload.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "objects/memory_store.h"
#include "objects/page.h"
#include "segment/segmenter.h"
#include "segment/split.h"

using namespace blockarch;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "segment_fuzz: %s\n", what);
  std::abort();
}

SegmentOptions options_from(std::uint8_t kind, std::uint8_t level) {
  static constexpr std::array<const char*, 6> kTypes = {"text/html", "",          "application/xhtml+xml",
                                                        "text/xml",  "text/html", "application/rss+xml"};
  static constexpr std::array<const char*, 4> kCharsets = {"utf-8", "windows-1252", "shift_jis", "utf-16le"};
  SegmentOptions options;
  options.media_type = kTypes[kind % kTypes.size()];
  options.charset = kCharsets[kind / 64];
  options.level = level % 2 == 0 ? 0 : level / 2 % (kMaxLevel + 1);
  return options;
}

bool same(const Segmentation& a, const Segmentation& b) {
  if (a.regions.size() != b.regions.size()) return false;
  for (std::size_t i = 0; i < a.regions.size(); ++i) {
    const Region& x = a.regions[i];
    const Region& y = b.regions[i];
    if (x.begin != y.begin || x.end != y.end || x.parent != y.parent || x.path != y.path) return false;
  }
  return true;
}

bool joins_again(ByteView payload, const Segmentation& segmentation) {
  const SplitPage page = split_page(payload, segmentation);
  MemoryStore store;
  for (const PageObject& object : page.objects) store.put(object.id.kind, object.content);
  Version version;
  version.payload_hash = blake3(payload);
  version.payload_size = payload.size();
  version.layout = {store.put(ObjectKind::layout, encode_layout(page.layout))};
  version.tree = {store.put(ObjectKind::tree, encode_block_tree(page.tree))};
  const auto joined = join_page(store, version);
  return joined.has_value() && *joined == payload;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const SegmentOptions options = options_from(data[0], data[1]);
  const ByteView payload(reinterpret_cast<const char*>(data) + 2, size - 2);
  const Segmenter& segmenter = **find_segmenter("auto");
  const Segmentation first = segmenter.segment(payload, options);
  const int max_level = options.level == 0 ? kMaxLevel : options.level;
  require(is_well_formed(first, payload.size(), max_level), "regions are not well formed");
  require(same(first, segmenter.segment(payload, options)), "the second time gave other regions");
  require(joins_again(payload, first), "the page does not join again");
  return 0;
}
