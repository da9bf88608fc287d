// What a block says: its text as a reader gets it, and how two texts differ word by word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "history/page_blocks.h"
#include "history/sequence_match.h"

namespace blockarch {

// UTF-8, runs of blanks as one, character references resolved, no tags. Of scripts, styles and what is about the page
// the source itself; of pictures and controls their alternative texts, else the source; empty for bytes that are no text.
std::string block_text(ByteView page, const PageBlocks& blocks, const PageBlock& block);

// The same of any stretch of markup.
std::string markup_text(ByteView markup, Markup kind, const std::string& charset);

// Small numbers for strings: the same string has the same number.
class Numbering {
 public:
  std::uint32_t of(std::string_view text);  // `text` must outlive the numbering

 private:
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

// Words (ICU's) and single signs, in order, without blanks. At most kMaxTokens; the last one then is the whole rest.
inline constexpr std::size_t kMaxTokens = 1 << 20;
std::vector<std::string_view> text_tokens(std::string_view text);

struct WordRun {
  enum class Kind : std::uint8_t { same, gone, come };
  Kind kind = Kind::same;
  std::string_view text;  // of `before` for gone, else of `after`; with the blanks before it

  bool operator==(const WordRun&) const = default;
};

// In the order of the new text; what went stands before what came in its place. Chance agreements of a word or two amid
// much that differs do not count. The runs other than `gone` together are `after`, those other than `come` say `before`
// but for blanks.
std::vector<WordRun> compare_words(std::string_view before, std::string_view after, WorkLimit& limit);

}  // namespace blockarch
