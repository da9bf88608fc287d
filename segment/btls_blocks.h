// Blocks, titles and content blocks as the paper defines them ("web page segmentation by title learning", BTLS). Each step
// is a function of its own; numbers in brackets are the paper's definitions.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "segment/text_lines.h"

namespace blockarch {

// The constants the paper gives ranges for; lengths in Chinese characters.
struct BtlsConstants {
  std::uint32_t thickness = 3;  // N: lines in a line block
  double longest_title = 9;     // C, 6 to 9
  double weight = 0.35;         // a1, 0.3 to 0.4; a2 = 1 - a1
  double tolerance = 2;         // delta, 1 to 3
  double short_block = 12;      // M, 10 to 15
  std::uint32_t near = 3;       // how many blocks away a title makes a short block one too
};
// Lengths for another script (characters_per_han).
BtlsConstants constants_for(Script script);

// The line-block distribution [4]: for each line the characters on it and on the lines below it, `thickness` in all. As
// many as there are lines.
std::vector<std::uint32_t> line_block_lengths(const TextLines& lines, std::uint32_t thickness);

// A run of line blocks that are not empty, between two that are [5].
struct TextBlock {
  std::uint32_t first = 0;  // its lines with text, by their place in TextLines::lines
  std::uint32_t last = 0;
  std::uint32_t length = 0;
  std::uint32_t depth = 0;  // [7]: of its first line with text
  bool heading = false;     // the text of <h1> to <h6> and nothing else
  bool title = false;

  // The pattern (0, n, n, n, 0) of its line blocks: there is one line of text.
  bool is_single_line() const { return first == last; }
};
std::vector<TextBlock> find_blocks(const TextLines& lines, std::uint32_t thickness);

// What the page says about the length of its titles (figure 8); nothing where it has no candidates.
struct TitleLength {
  std::optional<double> candidates;  // Kp: the most frequent length of blocks with the pattern, the least among equals
  std::optional<double> headings;    // Kh: the mean length of headings
  double expected = 0;               // K
  double least = 0;                  // C1
  double most = 0;                   // C2
};
std::optional<TitleLength> learn_title_length(const std::vector<TextBlock>& blocks, const BtlsConstants& constants);

// Sets TextBlock::title: headings of at most C, candidates between C1 and C2, and blocks of at most M near one of these.
void mark_titles(std::vector<TextBlock>& blocks, const BtlsConstants& constants);

// Content blocks [8] as the first block of each (section 3.5): step 1, a new one begins with a title that is shallower than
// the block before it; step 2, a run of content blocks that are nothing but titles is one.
std::vector<std::uint32_t> content_blocks(const std::vector<TextBlock>& blocks);

}  // namespace blockarch
