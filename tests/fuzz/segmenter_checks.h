// What holds for every segmenter on any bytes: regions are well formed, the same every time, and the page joins again
// from its blocks and layout. Aborts where it does not.
#pragma once

#include "segment/segmenter.h"
#include "tests/fuzz/require.h"
#include "tests/support/joins_again.h"

namespace blockarch {

inline bool same_regions(const Segmentation& a, const Segmentation& b) {
  if (a.regions.size() != b.regions.size()) return false;
  for (std::size_t i = 0; i < a.regions.size(); ++i) {
    const Region& x = a.regions[i];
    const Region& y = b.regions[i];
    if (x.begin != y.begin || x.end != y.end || x.parent != y.parent || x.path != y.path) return false;
  }
  return true;
}

inline void check_segmenter(const Segmenter& segmenter, ByteView payload, const SegmentOptions& options) {
  const Segmentation first = segmenter.segment(payload, options);
  const int max_level = options.level == 0 ? kMaxLevel : options.level;
  require(is_well_formed(first, payload.size(), max_level), "regions are not well formed");
  require(same_regions(first, segmenter.segment(payload, options)), "the second time gave other regions");
  require(joins_again(payload, first), "the page does not join again");
}

}  // namespace blockarch
