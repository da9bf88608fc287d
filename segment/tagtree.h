// tagtree: the regions of a page by where they stand on the screen (region_boxes.h), with the main region as one of its own
// (main_region.h; docs/segmentation.md).
//
// Profiles: `modern` (the default), `paper`, or a model as encode_model writes it, which begins with one of these.
#pragma once

#include "segment/main_region.h"
#include "segment/segmenter.h"

namespace blockarch {

const Segmenter& tagtree_segmenter();

struct TagTreeLimits {
  double least = 15;         // a region of fewer characters joins its neighbours
  double split = 180;        // one of fewer is not divided
  double split_part = 0.16;  // nor a smaller part of the page's characters (their number as a power of two)
  std::size_t list = 8;  // as many regions, the longest at most `alike` times their mean, are a list and stay together
  double alike = 5;
  double page_part = 0.95;  // what is this much of the page is no list
};

// The regions as a tree; max_level 1 to kMaxLevel. What holds `main` is divided in any case, until `main` is a region,
// which the result names; the page itself is not named.
Segmentation tagtree_levels(const StyledPage& page, const RegionBoxes& regions, std::uint32_t main, int max_level,
                            const TagTreeLimits& limits = {});

}  // namespace blockarch
