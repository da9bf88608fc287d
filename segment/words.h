// The words of a text, by Unicode's rules and dictionaries (ICU): Chinese, Japanese and Thai have words too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "segment/name_table.h"

namespace blockarch {

// In order; numbers are words, signs are not. `text` is UTF-8; bytes that are not count as signs. At most `most`.
std::vector<std::string_view> split_words(std::string_view text, std::size_t most);

std::string lower_case(std::string_view word);
void append_lower_case(std::string_view word, std::string& to);

// What is known of a language for topics.
struct Language;

// Which languages have a word as a stop word; scripts that need no guess (Chinese, Japanese, Thai…) have theirs in all.
using StopWordOf = std::uint32_t;
// `hash` is the word's name_hash().
StopWordOf stop_word_of(std::string_view lower_word, std::uint32_t hash);
inline StopWordOf stop_word_of(std::string_view lower_word) {
  return stop_word_of(lower_word, name_hash(lower_word));
}

// By the stop words among some words; English where none speaks for another.
const Language& guess_language(std::span<const StopWordOf> words);
bool is_stop_word(const Language& language, StopWordOf word);
// By Snowball; the word itself where there is no stemmer for the language.
std::string stem(const Language& language, std::string_view lower_word, std::uint32_t hash);
inline std::string stem(const Language& language, std::string_view lower_word) {
  return stem(language, lower_word, name_hash(lower_word));
}

}  // namespace blockarch
