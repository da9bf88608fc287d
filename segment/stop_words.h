// Words that say nothing about what a text is about, for the languages that Snowball stems.
#pragma once

#include <span>
#include <string_view>

namespace blockarch {

struct Language {
  const char* stemmer;                           // Snowball's name
  std::span<const std::string_view> stop_words;  // sorted, in lower case
};

// English first.
std::span<const Language> languages();
// Of scripts that belong to one language: Chinese, Japanese, Korean, Thai, Hindi, Arabic, Hebrew, Greek.
std::span<const std::string_view> common_stop_words();

}  // namespace blockarch
