// How many words a run of markup text has, without decoding it: what boxes and labels are measured by. Cheap rather
// than exact; topics use real word boundaries (words.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

// How bytes beyond ASCII are to be read.
enum class TextForm : std::uint8_t { utf8, single_byte, double_byte };
TextForm text_form(std::string_view charset);

struct TextCount {
  std::uint32_t words = 0;     // one for each ideograph, kana and Hangul syllable
  std::uint32_t letters = 0;   // characters inside words
  std::uint32_t stops = 0;     // . ! ? ; , and their like in other scripts
  std::uint32_t capitals = 0;  // words that begin with an ASCII capital
  std::uint32_t numbers = 0;   // words that begin with a digit
  bool ends_in_stop = false;   // . ! ? : … as the last character that is not blank

  void add(const TextCount& other);
};

// Character references end a word; comments, declarations and stray tags do not count.
TextCount count_text(ByteView text, TextForm form);

}  // namespace blockarch
