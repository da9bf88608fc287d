#include "segment/topic.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/charset.h"
#include "segment/fragment_text.h"
#include "segment/name_table.h"
#include "segment/word_count.h"
#include "segment/words.h"

namespace blockarch {
namespace {

constexpr std::size_t kScanned = 4 << 10;
constexpr std::size_t kMaxWords = 120;
constexpr std::size_t kMaxTopic = 400;  // bytes: a word may be as long as it likes

using Pieces = std::vector<FragmentPiece>;

bool is_ascii(ByteView bytes) {
  unsigned char all = 0;
  for (const char c : bytes) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

// A piece and those after it that are shown alike on the same line: "Harbour <b>news</b>" inside a heading.
template <typename Alike>
std::string_view joined_from(const FragmentText& text, std::size_t first, const Alike& alike) {
  const Pieces& pieces = text.pieces;
  std::size_t end = first + 1;
  while (end < pieces.size() && !pieces[end].starts_line && alike(pieces[end])) ++end;
  return text.from_to(pieces[first], pieces[end - 1]);
}

// Where only the amount matters, real word boundaries would cost more than the topic is worth.
std::size_t roughly(std::string_view text) {
  return count_text(text, TextForm::utf8).words;
}

bool has_word(std::string_view text) {
  return roughly(text) > 0;
}

using Found = std::optional<std::string_view>;

Found find_heading(const FragmentText& text) {
  const Pieces& pieces = text.pieces;
  std::size_t best = pieces.size();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const int rank = pieces[i].heading;
    if (rank == 0 || (best < pieces.size() && rank >= pieces[best].heading)) continue;
    if (has_word(text.of(pieces[i]))) best = i;
  }
  if (best == pieces.size()) return std::nullopt;
  const int rank = pieces[best].heading;
  return joined_from(text, best, [rank](const FragmentPiece& piece) { return piece.heading == rank; });
}

// Only where there is smaller text to stand out from.
Found find_largest(const FragmentText& text) {
  const Pieces& pieces = text.pieces;
  const auto [least, most] = std::minmax_element(
      pieces.begin(), pieces.end(), [](const FragmentPiece& a, const FragmentPiece& b) { return a.size < b.size; });
  if (least->size == most->size || most->size <= 3) return std::nullopt;
  const auto first = static_cast<std::size_t>(most - pieces.begin());
  const int size = most->size;
  if (!has_word(text.of(*most))) return std::nullopt;
  return joined_from(text, first, [size](const FragmentPiece& piece) { return piece.size == size; });
}

std::string_view line_from(const FragmentText& text, std::size_t first) {
  return joined_from(text, first, [](const FragmentPiece&) { return true; });
}

bool ends_sentence(std::string_view text) {
  constexpr std::string_view kFullStop = "\xe3\x80\x82";
  return text.ends_with('.') || text.ends_with(',') || text.ends_with(';') || text.ends_with(kFullStop);
}

// A title reads like one: short, no sentence, and what follows is longer.
Found find_leading(const FragmentText& text, std::uint32_t theta) {
  const Pieces& pieces = text.pieces;
  const std::string_view first = line_from(text, 0);
  std::size_t next = 1;
  while (next < pieces.size() && !pieces[next].starts_line) ++next;
  if (next == pieces.size() || ends_sentence(first)) return std::nullopt;
  const std::size_t words = split_words(first, theta + std::size_t{1}).size();
  if (words == 0 || words > theta) return std::nullopt;
  std::size_t after = 0;
  for (std::size_t i = next; i < pieces.size() && after <= 2 * words; ++i) after += roughly(text.of(pieces[i]));
  const std::size_t beside = roughly(line_from(text, next));
  // A list of short lines has no title.
  return after > 2 * words && beside > words ? Found(first) : std::nullopt;
}

// One colour for most of the text, and one that differs from it for a little.
Found find_coloured(const FragmentText& text) {
  const Pieces& pieces = text.pieces;
  const auto differs = [&](const FragmentPiece& piece) { return piece.colour != pieces.front().colour; };
  if (std::none_of(pieces.begin(), pieces.end(), differs)) return std::nullopt;
  std::map<std::string_view, std::size_t> sizes;
  std::size_t all = 0;
  for (const FragmentPiece& piece : pieces) {
    sizes[piece.colour] += piece.end - piece.begin;
    all += piece.end - piece.begin;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const FragmentPiece& piece = pieces[i];
    if (piece.colour.empty() || sizes[piece.colour] * 4 > all || !has_word(text.of(piece))) continue;
    return joined_from(text, i, [&](const FragmentPiece& other) { return other.colour == piece.colour; });
  }
  return std::nullopt;
}

struct Word {
  std::string_view text;
  std::string_view lower;
  std::uint32_t hash;  // of `lower`
  StopWordOf stops;
};

struct WordList {
  std::string lower;
  std::vector<Word> words;
};

// Views of `text`.
WordList words_of(std::string_view text) {
  const std::vector<std::string_view> found = split_words(text, kMaxWords);
  WordList list;
  // Never inside the string object itself, so that views stay good where the list is moved.
  list.lower.reserve(text.size() + sizeof(std::string));
  list.words.reserve(found.size());
  const auto add = [&list](std::string_view word, std::string_view lower) {
    const std::uint32_t hash = name_hash(lower);
    list.words.push_back({word, lower, hash, stop_word_of(lower, hash)});
  };
  if (is_ascii(text)) {
    append_lower_case(text, list.lower);
    for (const std::string_view word : found) {
      add(word, std::string_view(list.lower).substr(static_cast<std::size_t>(word.data() - text.data()), word.size()));
    }
    return list;
  }
  std::vector<std::size_t> ends;
  ends.reserve(found.size());
  for (const std::string_view word : found) {
    append_lower_case(word, list.lower);
    ends.push_back(list.lower.size());
  }
  for (std::size_t i = 0, begin = 0; i < found.size(); begin = ends[i], ++i) {
    add(found[i], std::string_view(list.lower).substr(begin, ends[i] - begin));
  }
  return list;
}

// The first words tell.
const Language& language_of(const std::vector<Word>& words) {
  std::array<StopWordOf, 60> first{};
  const std::size_t count = std::min(words.size(), first.size());
  for (std::size_t i = 0; i < count; ++i) first[i] = words[i].stops;
  return guess_language(std::span(first).first(count));
}

std::string join(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    if (text.size() + word.size() >= kMaxTopic && !text.empty()) break;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

// The first theta distinct words; all of them where there is nothing but stop words.
std::string trim(const std::vector<Word>& words, const Language& language, std::uint32_t theta) {
  for (const bool drop : {true, false}) {
    std::vector<std::string_view> kept;
    std::vector<std::string_view> seen;
    for (const Word& word : words) {
      if (kept.size() >= theta) break;
      if (drop && is_stop_word(language, word.stops)) continue;
      if (std::find(seen.begin(), seen.end(), word.lower) != seen.end()) continue;
      seen.push_back(word.lower);
      kept.push_back(word.text);
    }
    if (!kept.empty()) return join(kept);
  }
  return {};
}

// How often each of a few names occurs, in the order in which they first do.
class Tally {
 public:
  struct Entry {
    std::string_view name;
    std::uint32_t hash;
    std::uint32_t count;
    const Word* first;
  };

  void add(std::string_view name, std::uint32_t hash, std::uint32_t count, const Word* word) {
    std::size_t slot = (hash ^ hash >> 15) % kSlots;
    while (slots_[slot] != 0 && !is(entries_[slots_[slot] - 1u], name, hash)) slot = (slot + 1) % kSlots;
    if (slots_[slot] == 0) {
      entries_.push_back({name, hash, 0, word});
      slots_[slot] = static_cast<std::uint8_t>(entries_.size());
    }
    entries_[slots_[slot] - 1u].count += count;
  }
  void reserve(std::size_t most) { entries_.reserve(most); }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  static constexpr std::size_t kSlots = 256;
  static_assert(kMaxWords < kSlots - 50);

  static bool is(const Entry& entry, std::string_view name, std::uint32_t hash) {
    return entry.hash == hash && entry.name == name;
  }

  std::vector<Entry> entries_;
  std::array<std::uint8_t, kSlots> slots_{};  // 1 + an index into entries_
};

// The words as they first stand in the text, since stems are not for people. Forms are counted before they are stemmed:
// there are fewer of them.
std::string extract(const std::vector<Word>& words, const Language& language, const TopicOptions& options) {
  Tally forms;
  forms.reserve(words.size());
  for (const Word& word : words) {
    if (!is_stop_word(language, word.stops)) forms.add(word.lower, word.hash, 1, &word);
  }
  std::vector<std::string> stems;
  stems.reserve(forms.entries().size());  // which views point into
  Tally terms;
  terms.reserve(forms.entries().size());
  for (const Tally::Entry& form : forms.entries()) {
    if (form.name.find_first_not_of("0123456789.,") == std::string_view::npos) continue;
    const std::string& term = stems.emplace_back(stem(language, form.name, form.hash));
    terms.add(term, name_hash(term), form.count, form.first);
  }
  std::vector<std::string_view> kept;
  for (const Tally::Entry& term : terms.entries()) {
    if (kept.size() >= options.theta) break;
    if (term.count > options.epsilon) kept.push_back(term.first->text);
  }
  return kept.empty() ? trim(words, language, options.theta) : join(kept);
}

std::string found_topic(std::string_view text, const TopicOptions& options) {
  if (split_words(text, options.theta + std::size_t{1}).size() <= options.theta && text.size() <= kMaxTopic)
    return std::string(text);
  const WordList list = words_of(text);
  return trim(list.words, language_of(list.words), options.theta);
}

std::string extracted_topic(std::string_view text, const TopicOptions& options) {
  const WordList list = words_of(text);
  const std::vector<Word>& words = list.words;
  const Language& language = language_of(words);
  return words.size() < options.delta ? trim(words, language, options.theta) : extract(words, language, options);
}

}  // namespace

std::string find_topic(ByteView block, std::string_view charset, Markup markup, const TopicOptions& options) {
  if (block.size() > kScanned) {
    std::size_t end = kScanned;
    // Not inside a character of UTF-8; other charsets lose their last one.
    while (end > kScanned - 4 && (static_cast<unsigned char>(block[end]) & 0xc0) == 0x80) --end;
    block = block.substr(0, end);
  }
  std::string converted;
  std::string_view fragment = block;
  const bool plain = is_ascii(block) && markup_is_ascii(charset);
  if (!plain && (charset != "utf-8" || !is_valid_utf8(block))) fragment = converted = to_utf8(block, charset);
  const FragmentText text = read_fragment_text(fragment, markup);
  if (text.pieces.empty()) {
    return markup == Markup::html ? found_topic(alternative_text(fragment), options) : std::string();
  }
  Found found = find_heading(text);
  if (!found) found = find_largest(text);
  if (!found) found = find_leading(text, options.theta);
  if (!found) found = find_coloured(text);
  return found ? found_topic(*found, options) : extracted_topic(text.text, options);
}

}  // namespace blockarch
