// How long a text is to a reader: characters that are not blank, in any charset whose markup is ASCII, and the script that
// most of them belong to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

enum class Script : std::uint8_t {
  han,       // Chinese
  syllabic,  // Japanese, Korean
  alphabet,  // Latin, Cyrillic, Greek…
  abjad,     // Arabic, Hebrew: vowels are not written
  abugida,   // Devanagari, Thai…: vowels are marks of their own
};
inline constexpr std::size_t kScripts = 5;

// "cjk", "syllabic", "latin", "abjad", "abugida".
std::string_view script_name(Script script);
std::optional<Script> script_named(std::string_view name);

// How many characters of the script say what one Chinese character says. A Chinese word is about 1.6 characters, an
// English one about 4.7 letters, so 3; Japanese mixes kanji with kana, and Korean words are about 2.5 syllables, so 1.5;
// what leaves its vowels out lies between.
double characters_per_han(Script script);

class TextCounter {
 public:
  explicit TextCounter(std::string_view charset);
  // Characters of `text` (no markup inside) that are not blank; a character reference is one. Adds to the scripts seen.
  std::uint32_t count(ByteView text);
  // Of all that was counted: the script that says most (characters weighed by characters_per_han); where that is Han with
  // a twentieth of kana or hangul, syllabic. Alphabet where nothing was counted.
  Script script() const;

 private:
  enum class Width : std::uint8_t { utf8, two_bytes, one_byte };
  std::size_t step(ByteView text, std::size_t at, bool& blank);
  std::size_t reference(ByteView text, std::size_t at, bool& blank);
  void see(char32_t character);

  Width width_ = Width::utf8;
  Script wide_ = Script::han;         // what two bytes are in this charset
  Script narrow_ = Script::alphabet;  // what a byte beyond ASCII is
  std::array<std::uint64_t, kScripts> seen_{};
};

}  // namespace blockarch
