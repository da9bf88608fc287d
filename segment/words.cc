// ICU's word iterator costs about 50 ns a character, so text in ASCII is cut here, by the same rules (a test compares
// the two). Iterators and stemmers are expensive to make and kept per thread.
#include "segment/words.h"

#include <libstemmer.h>
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "segment/stop_words.h"

namespace blockarch {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_part(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// "don't", "example.com" and "1,000" are one word each.
bool joins(char before, char c, char after) {
  if (c == '.' || c == '\'') return (is_letter(before) && is_letter(after)) || (is_digit(before) && is_digit(after));
  return (c == ',' || c == ';') && is_digit(before) && is_digit(after);
}

std::vector<std::string_view> split_ascii(std::string_view text, std::size_t most) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size() && words.size() < most;) {
    if (!is_part(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size()) {
      const bool inside = is_part(text[at]) || (at + 1 < text.size() && joins(text[at - 1], text[at], text[at + 1]));
      if (!inside) break;
      ++at;
    }
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

icu::BreakIterator* word_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    return U_SUCCESS(status) ? std::move(made) : nullptr;
  }();
  return iterator.get();
}

std::vector<std::string_view> split_unicode(std::string_view text, std::size_t most) {
  icu::BreakIterator* const iterator = word_iterator();
  if (iterator == nullptr) return split_ascii(text, most);
  UErrorCode status = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, text.data(), static_cast<std::int64_t>(text.size()), &status);
  std::vector<std::string_view> words;
  if (U_SUCCESS(status)) {
    iterator->setText(&source, status);
    std::int32_t begin = iterator->first();
    for (std::int32_t end = iterator->next(); end != icu::BreakIterator::DONE && words.size() < most;
         begin = end, end = iterator->next()) {
      if (iterator->getRuleStatus() >= UBRK_WORD_NONE_LIMIT) {
        words.push_back(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
      }
    }
  }
  // The iterator must not keep a view of text that is gone.
  static const icu::UnicodeString empty;
  iterator->setText(empty);
  utext_close(&source);
  return words;
}

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

sb_stemmer* stemmer_for(const char* algorithm) {
  thread_local std::map<const char*, std::unique_ptr<sb_stemmer, StemmerDeleter>> stemmers;
  auto& stemmer = stemmers[algorithm];
  if (!stemmer) stemmer.reset(sb_stemmer_new(algorithm, "UTF_8"));
  return stemmer.get();
}

// Which languages have a word as a stop word: a bit for each, the highest for kCommonWord.
constexpr std::uint32_t kCommonWord = 1u << 31;

const std::unordered_map<std::string_view, std::uint32_t>& stop_words() {
  static const auto table = [] {
    std::unordered_map<std::string_view, std::uint32_t> made;
    std::uint32_t bit = 1;
    for (const Language& language : languages()) {
      for (const std::string_view word : language.stop_words) made[word] |= bit;
      bit <<= 1;
    }
    for (const std::string_view word : common_stop_words()) made[word] |= kCommonWord;
    return made;
  }();
  return table;
}

std::uint32_t languages_of(std::string_view lower_word) {
  const auto found = stop_words().find(lower_word);
  return found == stop_words().end() ? 0 : found->second;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text, std::size_t most) {
  return is_ascii(text) ? split_ascii(text, most) : split_unicode(text, most);
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  if (is_ascii(word)) {
    for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower;
  }
  icu::UnicodeString wide =
      icu::UnicodeString::fromUTF8(icu::StringPiece(word.data(), static_cast<std::int32_t>(word.size())));
  lower.clear();
  wide.toLower(icu::Locale::getRoot()).toUTF8String(lower);
  return lower;
}

const Language& guess_language(const std::vector<std::string_view>& lower_words) {
  const std::span<const Language> all = languages();
  std::vector<std::size_t> hits(all.size());
  for (const std::string_view word : lower_words) {
    const std::uint32_t bits = languages_of(word);
    for (std::size_t i = 0; bits != 0 && i < all.size(); ++i) hits[i] += bits >> i & 1u;
  }
  const auto most = std::max_element(hits.begin(), hits.end());  // the first of several: English
  return all[static_cast<std::size_t>(most - hits.begin())];
}

bool is_stop_word(const Language& language, std::string_view lower_word) {
  const auto bit = 1u << static_cast<unsigned>(&language - languages().data());
  return (languages_of(lower_word) & (bit | kCommonWord)) != 0;
}

std::string stem(const Language& language, const std::string& lower_word) {
  constexpr std::size_t kLongest = 64;
  sb_stemmer* const stemmer = lower_word.size() > kLongest ? nullptr : stemmer_for(language.stemmer);
  if (stemmer == nullptr) return lower_word;
  const auto* const word = reinterpret_cast<const sb_symbol*>(lower_word.data());
  const sb_symbol* const stemmed = sb_stemmer_stem(stemmer, word, static_cast<int>(lower_word.size()));
  if (stemmed == nullptr) return lower_word;
  return {reinterpret_cast<const char*>(stemmed), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

}  // namespace blockarch
