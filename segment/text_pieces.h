// Texts that are no block by any rule, cut where a reader sees a break: at boxes (paragraphs, list items, headings), at two
// line breaks in a row, and at blank lines of preformatted or very long text. Boxes of less than a thousand characters stay whole. A short piece joins the one after it, as a heading
// belongs to its paragraph, or the one before it where nothing follows.
#pragma once

#include <cstdint>
#include <vector>

#include "segment/styled_page.h"

namespace blockarch {

struct TextPiece {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t node;  // where it begins
};

inline constexpr std::uint32_t kShortPiece = 40;  // characters

// What can be read below each node, in characters.
std::vector<std::uint32_t> text_lengths(const StyledPage& page);

// Of the content of `container`, outside of the nodes in `taken` and everything below them. In order, disjoint; no piece
// holds part of a taken node. Linear in what is below `container` and not taken.
std::vector<TextPiece> text_pieces(const StyledPage& page, const std::vector<std::uint32_t>& lengths,
                                   std::uint32_t container, const std::vector<bool>& taken,
                                   const std::vector<bool>& holds_taken);

// The ends of the paragraphs of plain text: after the blank lines that follow each.
std::vector<std::uint64_t> paragraph_ends(ByteView text);

}  // namespace blockarch
