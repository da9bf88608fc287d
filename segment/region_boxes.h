// Where the regions of a page stand on the screen, computed from its markup alone, after "tag-tree regions of web pages": sizes
// from the bottom up, declared ones corrected by their content, then positions from the top down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "segment/styled_page.h"
#include "segment/tagtree_model.h"

namespace blockarch {

enum class BoxKind : std::uint8_t {
  stack,  // what is inside stands one below the other: the page, a cell, a block
  table,  // rows one below the other
  row,    // what is inside stands side by side and is equally high
  flow,   // what is inside stands side by side as long as there is room: floats
};

// In pre-order; boxes[0] is the page. Lengths in pixels.
struct RegionBox {
  std::uint32_t begin = 0;  // its bytes; begin == end for what has none
  std::uint32_t end = 0;
  std::uint32_t parent = 0;
  std::uint32_t subtree_end = 0;
  std::uint32_t node = 0;  // StyledPage::nodes; of a virtual box the one around it
  std::uint32_t text = 0;  // characters inside
  float width = 0;
  float height = 0;
  float left = 0;
  float top = 0;
  BoxKind kind = BoxKind::stack;
  // Not in the markup: a run of text and pictures beside other regions, or the room that colspan and rowspan take away.
  bool is_virtual = false;
  bool floating = false;   // stands beside others of its kind
  bool has_width = false;  // declared

  float right() const { return left + width; }
  float bottom() const { return top + height; }
  // Strictly inside, as the paper has it.
  bool contains(float x, float y) const { return left < x && x < right() && top < y && y < bottom(); }
};

struct RegionBoxes {
  TagTreeProfile profile = TagTreeProfile::modern;
  std::vector<RegionBox> boxes;
};

// Heights of texts: characters × width of the font ÷ width of the region, rounded up, × height of a line. The paper: 12
// pixels wide and high where no size is given, 25 pixels more for each <p> with something in it. Modern: the computed font size
// and half of it for letters that are no CJK, lines 1.2 times as high, <p> as high as its font.
inline constexpr float kPaperFont = 12;
inline constexpr float kPaperParagraph = 25;
// Where nothing says how wide the page is.
inline constexpr float kPaperWidth = 800;

// Linear in time and memory.
RegionBoxes compute_boxes(const StyledPage& page, TagTreeProfile profile);

}  // namespace blockarch
