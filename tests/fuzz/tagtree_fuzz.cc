// Any bytes through tagtree, and boxes that make sense. Byte 0 chooses the profile, byte 1 the level, the rest is the payload;
// where it has a line feed, what stands before the first one is also tried as a model.
#include <array>
#include <cstdint>
#include <string>

#include "segment/main_region.h"
#include "tests/fuzz/segmenter_checks.h"

using namespace blockarch;

namespace {

void check_boxes(const RegionBoxes& regions) {
  const auto& boxes = regions.boxes;
  for (std::uint32_t i = 1; i < boxes.size(); ++i) {
    const RegionBox& parent = boxes[boxes[i].parent];
    require(boxes[i].parent < i && boxes[i].subtree_end <= parent.subtree_end, "boxes are not in pre-order");
    require(boxes[i].begin >= parent.begin && boxes[i].end <= parent.end, "a box's bytes are not its parent's");
    require(boxes[i].width >= 0 && boxes[i].height >= 0, "a box has no size");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<const char*, 3> kProfiles = {"", "paper", "modern;relative;gamma=0.3;lambda=0.1;theta=0"};
  if (size < 2) return 0;
  const ByteView payload(reinterpret_cast<const char*>(data) + 2, size - 2);
  SegmentOptions options;
  options.media_type = "text/html";
  options.charset = "utf-8";
  options.profile = kProfiles[data[0] % kProfiles.size()];
  options.level = data[1] % (kMaxLevel + 1);
  const Segmenter& segmenter = **find_segmenter("tagtree");
  check_segmenter(segmenter, payload, options);

  const StyledPage page = read_styled_page(payload);
  const RegionBoxes regions = compute_boxes(page, data[0] % 2 == 0 ? TagTreeProfile::modern : TagTreeProfile::paper);
  check_boxes(regions);
  const auto last = static_cast<std::uint32_t>(regions.boxes.size() - 1);
  const std::string pattern = pattern_of(page, regions, last);
  const auto found = match_pattern(page, regions, pattern);
  const bool is_row = regions.boxes[last].kind == BoxKind::row;
  require(pattern.empty() || is_row || found == last, "a pattern does not lead back");

  const std::size_t line = payload.find('\n');
  if (line == ByteView::npos) return 0;
  const auto model = decode_model(payload.substr(0, line));
  if (!model) return 0;
  require(decode_model(encode_model(*model)).value() == *model, "a model does not come back");
  options.profile = std::string(payload.substr(0, line));
  check_segmenter(segmenter, payload, options);
  return 0;
}
