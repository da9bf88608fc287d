// The lines of a page as a tree, by their depth alone: runs of lines between places that are shallower. What btls makes of
// the paper's merging by depth, at every depth instead of one.
#pragma once

#include <cstdint>
#include <deque>

#include "segment/text_lines.h"

namespace blockarch {

inline constexpr std::uint8_t kNoHeading = 7;
inline constexpr std::uint32_t kNoNode = 0xffffffff;

// Lines first to last. Without children a single line.
struct LineNode {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t length = 0;  // characters on its lines
  std::uint32_t first_child = kNoNode;
  std::uint32_t next_sibling = kNoNode;
  std::uint8_t heading = kNoHeading;  // the highest heading on its lines: 1 to 6
};

// A node with children is a maximal run of lines whose gaps are at least as deep as its shallowest one, and is divided at
// all gaps as shallow as that. The last node is the root; none for a page without text. Linear.
std::deque<LineNode> line_tree(const std::deque<TextLine>& lines);

}  // namespace blockarch
