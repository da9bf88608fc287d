// ICU's word iterator costs about 50 ns a character, so text in ASCII is cut here, by the same rules (a test compares
// the two). Iterators and stemmers are expensive to make and kept per thread.
#include "segment/words.h"

#include <libstemmer.h>
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>

#include "segment/name_table.h"
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

// Without leaving early, so that compilers can look at many at once.
bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

// "don't", "example.com" and "1,000" are one word each.
bool joins(char before, char c, char after) {
  if (c == '.' || c == '\'') return (is_letter(before) && is_letter(after)) || (is_digit(before) && is_digit(after));
  return (c == ',' || c == ';') && is_digit(before) && is_digit(after);
}

using Words = std::vector<std::string_view>;

void split_ascii(std::string_view text, std::size_t most, Words& words) {
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
}

icu::BreakIterator* word_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    return U_SUCCESS(status) ? std::move(made) : nullptr;
  }();
  return iterator.get();
}

void split_unicode(std::string_view text, std::size_t most, Words& words) {
  icu::BreakIterator* const iterator = word_iterator();
  if (iterator == nullptr) return split_ascii(text, most, words);
  UErrorCode status = U_ZERO_ERROR;
  UText source = UTEXT_INITIALIZER;
  utext_openUTF8(&source, text.data(), static_cast<std::int64_t>(text.size()), &status);
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
}

// "@" is a letter to some versions of ICU.
bool is_for_icu(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || c == '@';
}

// Where the part of `text` ends that ICU need not see (`plain`), or has to: no rule for words looks past a blank. Short
// stretches of ASCII stay with what is around them, since handing text over to ICU has its own price.
std::size_t part_end(std::string_view text, bool plain) {
  constexpr std::size_t kWorthIt = 24;
  std::size_t blank = 0;  // after the last blank of a plain part; else after the first behind what ICU has to see
  std::size_t since = 0;  // after the last byte that ICU has to see
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_blank = text[at] == ' ' || text[at] == '\n';
    if (plain) {
      if (is_for_icu(text[at])) return blank;
      if (is_blank) blank = at + 1;
      continue;
    }
    if (is_for_icu(text[at])) since = at + 1, blank = 0;
    if (blank == 0 && is_blank) blank = at + 1;
    if (blank != 0 && at - since >= kWorthIt) return blank;
  }
  return text.size();
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

// A bit for each language, the highest for words of scripts that belong to one.
constexpr StopWordOf kCommonWord = 1u << 31;

// Looked into for every word of every topic. Most are no stop words, which one look into a small table tells.
class StopWords {
 public:
  StopWords() : slots_(kSlots) {
    StopWordOf bit = 1;
    for (const Language& language : languages()) {
      for (const std::string_view word : language.stop_words) languages_of(word) |= bit;
      bit <<= 1;
    }
    for (const std::string_view word : common_stop_words()) languages_of(word) |= kCommonWord;
  }

  StopWordOf find(std::string_view word, std::uint32_t hash) const {
    const std::uint16_t found = slots_[slot_of(word, hash)];
    return found != 0 ? entries_[found - 1u].languages : 0;
  }

 private:
  struct Entry {
    std::string_view word;
    StopWordOf languages = 0;
  };
  static constexpr std::size_t kSlots = 8192;  // several times as many as there are words

  // Where the word is, or would be.
  std::size_t slot_of(std::string_view word, std::uint32_t hash) const {
    std::size_t at = (hash ^ (hash >> 15)) % kSlots;
    while (slots_[at] != 0 && entries_[slots_[at] - 1u].word != word) at = (at + 1) % kSlots;
    return at;
  }

  StopWordOf& languages_of(std::string_view word) {
    std::uint16_t& slot = slots_[slot_of(word, name_hash(word))];
    if (slot == 0) {
      entries_.push_back({word});
      slot = static_cast<std::uint16_t>(entries_.size());
    }
    return entries_[slot - 1u].languages;
  }

  std::vector<std::uint16_t> slots_;  // 1 + an index into entries_
  std::vector<Entry> entries_;
};

// Stemming costs as much as all else that is done with a word, and a site says the same words again and again: the stems
// made last are kept.
class StemCache {
 public:
  static constexpr std::size_t kLongest = 21;

  // Of at most kLongest bytes.
  std::string stem(const Language& language, std::string_view word, std::uint32_t hash) {
    const auto number = static_cast<std::uint8_t>(&language - languages().data() + 1);
    Entry& entry = entries_[(hash ^ (hash >> 15)) % entries_.size()];
    if (entry.language != number || entry.word() != word) {
      const std::string stemmed = make(language, word);
      const auto differs = std::mismatch(word.begin(), word.end(), stemmed.begin(), stemmed.end()).first;
      const auto shared = static_cast<std::size_t>(differs - word.begin());
      if (stemmed.size() - shared > entry.ending_bytes.size()) return stemmed;
      entry = {number, static_cast<std::uint8_t>(word.size()), static_cast<std::uint8_t>(shared),
               static_cast<std::uint8_t>(stemmed.size() - shared)};
      word.copy(entry.word_bytes.data(), word.size());
      stemmed.copy(entry.ending_bytes.data(), stemmed.size() - shared, shared);
    }
    return std::string(word.substr(0, entry.shared)).append(entry.ending());
  }

  static std::string make(const Language& language, std::string_view word) {
    sb_stemmer* const stemmer = stemmer_for(language.stemmer);
    if (stemmer == nullptr) return std::string(word);
    const auto* const bytes = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* const stemmed = sb_stemmer_stem(stemmer, bytes, static_cast<int>(word.size()));
    if (stemmed == nullptr) return std::string(word);
    return {reinterpret_cast<const char*>(stemmed), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
  }

 private:
  // A stem is how much of the word it shares, and an ending of its own.
  struct Entry {
    std::uint8_t language = 0;  // 1 + its number
    std::uint8_t word_size = 0;
    std::uint8_t shared = 0;
    std::uint8_t ending_size = 0;
    std::array<char, kLongest> word_bytes{};
    std::array<char, 7> ending_bytes{};

    std::string_view word() const { return {word_bytes.data(), word_size}; }
    std::string_view ending() const { return {ending_bytes.data(), ending_size}; }
  };
  static_assert(sizeof(Entry) == 32);

  std::array<Entry, 4096> entries_;
};

}  // namespace

std::vector<std::string_view> split_words(std::string_view text, std::size_t most) {
  Words words;
  if (is_ascii(text)) {
    split_ascii(text, most, words);
    return words;
  }
  while (!text.empty() && words.size() < most) {
    std::size_t size = part_end(text, true);
    if (size > 0) {
      split_ascii(text.substr(0, size), most, words);
    } else {
      size = part_end(text, false);
      split_unicode(text.substr(0, size), most, words);
    }
    text.remove_prefix(size);
  }
  return words;
}

void append_lower_case(std::string_view word, std::string& to) {
  if (is_ascii(word)) {
    const std::size_t before = to.size();
    to += word;
    for (std::size_t i = before; i < to.size(); ++i) {
      const char c = to[i];
      to[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    return;
  }
  icu::UnicodeString wide =
      icu::UnicodeString::fromUTF8(icu::StringPiece(word.data(), static_cast<std::int32_t>(word.size())));
  wide.toLower(icu::Locale::getRoot()).toUTF8String(to);
}

std::string lower_case(std::string_view word) {
  std::string lower;
  append_lower_case(word, lower);
  return lower;
}

StopWordOf stop_word_of(std::string_view lower_word, std::uint32_t hash) {
  static const StopWords words;
  return words.find(lower_word, hash);
}

const Language& guess_language(std::span<const StopWordOf> words) {
  const std::span<const Language> all = languages();
  std::array<std::size_t, 31> hits{};
  for (const StopWordOf word : words) {
    for (StopWordOf rest = word & ~kCommonWord; rest != 0; rest &= rest - 1) {
      ++hits[static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
  const auto* const most = std::max_element(hits.begin(), hits.end());  // the first of several: English
  return all[static_cast<std::size_t>(most - hits.begin())];
}

bool is_stop_word(const Language& language, StopWordOf word) {
  const auto bit = 1u << static_cast<unsigned>(&language - languages().data());
  return (word & (bit | kCommonWord)) != 0;
}

std::string stem(const Language& language, std::string_view lower_word, std::uint32_t hash) {
  constexpr std::size_t kLongest = 64;
  if (lower_word.size() > kLongest) return std::string(lower_word);
  if (lower_word.size() > StemCache::kLongest) return StemCache::make(language, lower_word);
  thread_local const auto cache = std::make_unique<StemCache>();
  return cache->stem(language, lower_word, hash);
}

}  // namespace blockarch
