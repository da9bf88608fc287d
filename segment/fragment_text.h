// The text of a fragment of markup in pieces, with how each is shown. A plain reading of tags: a block may begin and end
// anywhere, and its topic must not depend on what is around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "segment/auto.h"

namespace blockarch {

// Text between two block boundaries, or a part of it that is shown differently.
struct FragmentPiece {
  std::string text;    // character references resolved, runs of blanks as one
  int heading = 0;     // 1 to 6 inside <h1> to <h6>; 1 for the title of a feed's entry
  int size = 3;        // of the font as <font size> counts, 1 to 7
  std::string colour;  // as declared; empty where it is not
  bool starts_line = false;
};

// `fragment` is UTF-8. Ends after a heading of the first rank and after 1 KiB of text.
std::vector<FragmentPiece> read_fragment_text(std::string_view fragment, Markup markup);

// The first alt, title, aria-label or placeholder: for blocks without text.
std::string alternative_text(std::string_view fragment);

}  // namespace blockarch
