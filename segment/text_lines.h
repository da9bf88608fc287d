// The lines of a page's text with their depth: what btls cuts. No document tree is built; depth is counted.
#pragma once

#include <cstdint>
#include <deque>

#include "base/bytes.h"
#include "segment/text_count.h"

namespace blockarch {

// A line with text on it. Lines without any are only counted, in `number`.
struct TextLine {
  std::uint32_t begin = 0;   // its first byte of text
  std::uint32_t end = 0;     // one past its last
  std::uint32_t cut = 0;     // where what begins with this line begins: before the tags that open after the line before
  std::uint32_t number = 0;  // among all lines, the first being 0
  std::uint32_t length = 0;  // characters that are not blank
  std::uint32_t depth = 0;   // elements around it
  std::uint32_t gap = 0;     // the least depth between the line before and this one
  std::uint8_t heading = 0;  // 1 to 6: the text of <h1> to <h6>
  bool picture = false;      // has something to see that is no text
};

struct TextLines {
  std::deque<TextLine> lines;  // by number, begin and cut
  std::uint32_t count = 0;     // of all lines, with and without text
  Script script = Script::alphabet;
};

// Lines as they stand in the source, with these changes so that they do not depend on how the source is laid out:
//   a tag is never broken over lines; scripts, styles, comments and hidden elements have no lines;
//   a line that holds texts with block tags between them (minified pages) is broken so that each of those tags stands on
//   a line of its own, as in the paper's figure 5;
//   a heading is one line, with kHeadingMargin empty ones around it.
// Depth as in the paper's figure 2: +1 for each start tag, -1 for each end tag, its value at the end of the line.
inline constexpr std::uint32_t kHeadingMargin = 3;
TextLines source_lines(ByteView page, std::string_view charset);

// A line is what stands between two tags of blocks, however the source is laid out, and counts `number` up by one. Depth is
// the number of blocks that are open, end tags that HTML lets be left out being put in and those that close nothing
// being ignored. Pictures count as text of kPictureLength characters.
inline constexpr std::uint32_t kPictureLength = 1;
TextLines normal_lines(ByteView page, std::string_view charset);

}  // namespace blockarch
