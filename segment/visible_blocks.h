// The blocks of a page as a person sees them. Coarser than what is stored, and a tree: header, content, footer, and what
// stands in each.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "segment/box_features.h"
#include "segment/boxes.h"
#include "segment/element_tree.h"

namespace blockarch {

struct ByteRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Which lines are main content: the set whose expected agreement (F measure) with a person's choice is greatest, given
// how likely each line is.
std::vector<bool> choose_main(const PageBoxes& page, const std::vector<float>& odds);

// Boxes that a person would mark, runs of main content where it is mixed with other things, and large scripts, styles
// and data. Sorted by begin, outer before inner; any two are either disjoint or nested. `view` must know the odds.
std::vector<ByteRange> visible_blocks(ByteView payload, const ElementTree& tree, const PageView& view,
                                      const std::vector<bool>& main);

}  // namespace blockarch
