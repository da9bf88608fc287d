// From a document's elements to its regions, level by level.
//
// The inside of a container is tiled by units: each block-level child with the white space after it, each run
// of text. Small neighbours are grouped; which unit ends a group depends on that unit's bytes alone, so an
// edit changes its group and not the neighbours'. A large unit with structure inside is a container at the
// next level. Containers that hold a single large unit are passed through without using up a level.
#pragma once

#include "base/bytes.h"
#include "segment/cut_rules.h"
#include "segment/element_tree.h"
#include "segment/segmenter.h"

namespace blockarch {

struct PartitionLimits {
  std::uint32_t group = 512;    // groups of small units are about this long
  std::uint32_t least = 128;    // a shorter group joins the unit after it
  std::uint32_t alone = 1024;   // a unit this long is not grouped
  std::uint32_t most = 4096;    // no group is longer
  std::uint32_t split = 2048;   // a unit this long is cut inside
  std::uint32_t entry = 65536;  // an entry is cut inside only past this
  std::uint32_t tag = 1024;     // a container with longer tags stays whole: tags of cut containers go to the layout
};

// What is cut finer, where rules ask for it.
inline constexpr PartitionLimits kFineLimits = {.group = 128, .least = 48, .alone = 256, .most = 1024, .split = 384};

// `tree` must be finished and of `payload`; max_level 1 to kMaxLevel. Regions that rules keep whole are not cut inside;
// those that they cut finer, and all below, go by kFineLimits.
Segmentation partition(ByteView payload, const ElementTree& tree, int max_level, const PartitionLimits& limits = {},
                       const CutRules& rules = {});

}  // namespace blockarch
