// The boxes of a page: its block-level elements that hold text, and the lines of text in them, with what can be
// counted in each. Labels and visible blocks are made from these; nothing else of the page is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "segment/element_tree.h"
#include "segment/word_count.h"

namespace blockarch {

// HTML elements as far as they differ in what they hold.
enum class BoxTag : std::uint8_t {
  other,
  div,
  section,
  article,
  main,
  nav,
  header,
  footer,
  aside,
  form,
  paragraph,  // p
  heading1,
  heading2,   // h2, h3
  heading4,   // h4 to h6
  list,       // ul, ol, dl, menu
  item,       // li, dt, dd
  table,      // table, tbody, thead, tfoot
  row,        // tr
  cell,       // td, th
  preformed,  // pre, listing, xmp
  quote,      // blockquote
  figure,     // figure, figcaption, caption
  control,    // button, select, option, label, textarea, fieldset, legend
  link,       // an <a> around blocks
  dialog,     // dialog, template
  address,
};
inline constexpr int kBoxTags = 26;

struct Box {
  std::uint32_t element = 0;
  std::uint32_t parent = kNoElement;  // a box; kNoElement for boxes[0], the document
  std::uint32_t first_line = 0;
  std::uint32_t line_end = 0;  // one past the last of its lines, its children's among them
  std::uint32_t next = 0;      // one past the last box inside it
  std::uint32_t children = 0;
  std::uint32_t hints = 0;        // its own names'
  std::uint32_t around = 0;       // and those of what it stands in
  std::uint32_t tags_around = 0;  // one bit for each BoxTag, its own among them
  std::uint32_t words = 0;
  std::uint32_t link_words = 0;
  std::uint32_t links = 0;
  std::uint32_t stops = 0;
  std::uint32_t prose_words = 0;  // in lines of at least ten words, few of them links, that have stops
  std::uint32_t images = 0;
  std::uint32_t controls = 0;  // inputs, buttons, selects
  std::uint32_t headings = 0;
  std::uint32_t alike = 0;  // siblings with the same tag and classes, itself among them
  std::uint64_t signature = 0;
  BoxTag tag = BoxTag::other;
  bool has_class = false;
  std::uint8_t depth = 0;  // boxes around it, at most 255
};

// Text that no block boundary interrupts.
struct Line {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t box = 0;
  std::uint32_t words_before = 0;  // in the page
  std::uint32_t link_words = 0;
  TextCount text;
  std::uint8_t breaks = 0;  // <br> inside

  bool is_prose() const { return text.words >= 10 && link_words * 3 < text.words && text.stops > 0; }
};

struct PageBoxes {
  std::vector<Box> boxes;  // in pre-order; boxes[0] is the document
  std::vector<Line> lines;

  std::uint32_t words() const { return boxes[0].words; }
};

// Text in <head>, scripts, styles, graphics, frames and comments does not count. Linear; on a page of more boxes or
// lines than its size allows for, the rest is part of what is open then.
PageBoxes find_boxes(ByteView payload, const ElementTree& tree, TextForm form);

// By lower- or upper-case name.
BoxTag box_tag(ByteView name);

}  // namespace blockarch
