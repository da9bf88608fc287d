// The text of a fragment of markup in pieces, with how each is shown. A plain reading of tags: a block may begin and end
// anywhere, and its topic must not depend on what is around it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "segment/auto.h"

namespace blockarch {

// Text between two block boundaries, or a part of it that is shown differently.
struct FragmentPiece {
  std::uint32_t begin = 0;  // in FragmentText::text
  std::uint32_t end = 0;
  int heading = 0;          // 1 to 6 inside <h1> to <h6>; 1 for the title of a feed's entry
  int size = 3;             // of the font as <font size> counts, 1 to 7
  std::string_view colour;  // as declared in the fragment; empty where it is not
  bool starts_line = false;
};

struct FragmentText {
  std::string text;  // character references resolved, runs of blanks as one; one sign between two pieces: a blank, or a
                     // line's end where the second starts one
  std::vector<FragmentPiece> pieces;

  std::string_view of(const FragmentPiece& piece) const { return from_to(piece, piece); }
  std::string_view from_to(const FragmentPiece& first, const FragmentPiece& last) const {
    return std::string_view(text).substr(first.begin, last.end - first.begin);
  }
};

// `fragment` is UTF-8 and must outlive the result. Ends after a heading of the first rank and after 1 KiB of text.
FragmentText read_fragment_text(std::string_view fragment, Markup markup);

// The first alt, title, aria-label or placeholder: for blocks without text.
std::string alternative_text(std::string_view fragment);

}  // namespace blockarch
