#include "segment/topic.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/charset.h"
#include "segment/fragment_text.h"
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
std::string joined_from(const Pieces& pieces, std::size_t first, const Alike& alike) {
  std::string text = pieces[first].text;
  for (std::size_t i = first + 1; i < pieces.size() && !pieces[i].starts_line && alike(pieces[i]); ++i) {
    text += ' ' + pieces[i].text;
  }
  return text;
}

// Where only the amount matters, real word boundaries would cost more than the topic is worth.
std::size_t roughly(std::string_view text) {
  return count_text(text, TextForm::utf8).words;
}

bool has_word(std::string_view text) {
  return roughly(text) > 0;
}

std::optional<std::string> find_heading(const Pieces& pieces) {
  for (int rank = 1; rank <= 6; ++rank) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].heading != rank || !has_word(pieces[i].text)) continue;
      return joined_from(pieces, i, [rank](const FragmentPiece& piece) { return piece.heading == rank; });
    }
  }
  return std::nullopt;
}

// Only where there is smaller text to stand out from.
std::optional<std::string> find_largest(const Pieces& pieces) {
  const auto [least, most] = std::minmax_element(
      pieces.begin(), pieces.end(), [](const FragmentPiece& a, const FragmentPiece& b) { return a.size < b.size; });
  if (least->size == most->size || most->size <= 3) return std::nullopt;
  const auto first = static_cast<std::size_t>(most - pieces.begin());
  const int size = most->size;
  if (!has_word(most->text)) return std::nullopt;
  return joined_from(pieces, first, [size](const FragmentPiece& piece) { return piece.size == size; });
}

std::string line_from(const Pieces& pieces, std::size_t first) {
  return joined_from(pieces, first, [](const FragmentPiece&) { return true; });
}

bool ends_sentence(std::string_view text) {
  constexpr std::string_view kFullStop = "\xe3\x80\x82";
  return text.ends_with('.') || text.ends_with(',') || text.ends_with(';') || text.ends_with(kFullStop);
}

// A title reads like one: short, no sentence, and what follows is longer.
std::optional<std::string> find_leading(const Pieces& pieces, std::uint32_t theta) {
  const std::string first = line_from(pieces, 0);
  std::size_t next = 1;
  while (next < pieces.size() && !pieces[next].starts_line) ++next;
  if (next == pieces.size() || ends_sentence(first)) return std::nullopt;
  const std::size_t words = split_words(first, theta + std::size_t{1}).size();
  if (words == 0 || words > theta) return std::nullopt;
  std::size_t after = 0;
  for (std::size_t i = next; i < pieces.size() && after <= 2 * words; ++i) {
    after += roughly(pieces[i].text);
  }
  const std::size_t beside = roughly(line_from(pieces, next));
  // A list of short lines has no title.
  return after > 2 * words && beside > words ? std::optional(first) : std::nullopt;
}

// One colour for most of the text, and one that differs from it for a little.
std::optional<std::string> find_coloured(const Pieces& pieces) {
  std::map<std::string, std::size_t> sizes;
  std::size_t all = 0;
  for (const FragmentPiece& piece : pieces) {
    sizes[piece.colour] += piece.text.size();
    all += piece.text.size();
  }
  if (sizes.size() < 2) return std::nullopt;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const FragmentPiece& piece = pieces[i];
    if (piece.colour.empty() || sizes[piece.colour] * 4 > all || !has_word(piece.text)) continue;
    return joined_from(pieces, i, [&](const FragmentPiece& other) { return other.colour == piece.colour; });
  }
  return std::nullopt;
}

struct Word {
  std::string_view text;
  std::string lower;
  StopWordOf stops;
};

// Views of `text`.
std::vector<Word> words_of(std::string_view text) {
  const std::vector<std::string_view> found = split_words(text, kMaxWords);
  std::vector<Word> words;
  words.reserve(found.size());
  for (const std::string_view word : found) {
    Word& last = words.emplace_back(Word{word, lower_case(word), 0});
    last.stops = stop_word_of(last.lower);
  }
  return words;
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

// The words as they first stand in the text, since stems are not for people. Forms are counted before they are stemmed:
// there are fewer of them.
std::string extract(const std::vector<Word>& words, const Language& language, const TopicOptions& options) {
  struct Form {
    const Word* first;
    std::uint32_t count;
  };
  std::vector<Form> forms;
  std::array<std::uint8_t, 256> slots{};  // 1 + an index into forms, which are never as many
  static_assert(kMaxWords < 200);
  for (const Word& word : words) {
    std::size_t slot = std::hash<std::string_view>()(word.lower) % slots.size();
    while (slots[slot] != 0 && forms[slots[slot] - 1u].first->lower != word.lower) slot = (slot + 1) % slots.size();
    if (slots[slot] == 0) {
      forms.push_back({&word, 0});
      slots[slot] = static_cast<std::uint8_t>(forms.size());
    }
    ++forms[slots[slot] - 1u].count;
  }
  std::unordered_map<std::string, std::uint32_t> frequency;
  std::vector<std::pair<std::string, const Word*>> terms;
  for (const Form& form : forms) {
    const std::string& lower = form.first->lower;
    const bool number = lower.find_first_not_of("0123456789.,") == std::string::npos;
    if (number || is_stop_word(language, form.first->stops)) continue;
    std::string term = stem(language, lower);
    std::uint32_t& count = frequency[term];
    if (count == 0) terms.emplace_back(std::move(term), form.first);
    count += form.count;
  }
  std::vector<std::string_view> kept;
  for (const auto& [term, word] : terms) {
    if (kept.size() < options.theta && frequency[term] > options.epsilon) kept.push_back(word->text);
  }
  return kept.empty() ? trim(words, language, options.theta) : join(kept);
}

std::string found_topic(const std::string& text, const TopicOptions& options) {
  if (split_words(text, options.theta + std::size_t{1}).size() <= options.theta && text.size() <= kMaxTopic)
    return text;
  const std::vector<Word> words = words_of(text);
  return trim(words, language_of(words), options.theta);
}

std::string extracted_topic(const Pieces& pieces, const TopicOptions& options) {
  std::string text;
  for (const FragmentPiece& piece : pieces) text += piece.text + '\n';
  const std::vector<Word> words = words_of(text);
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
  const Pieces pieces = read_fragment_text(fragment, markup);
  if (pieces.empty()) {
    return markup == Markup::html ? found_topic(alternative_text(fragment), options) : std::string();
  }
  std::optional<std::string> found = find_heading(pieces);
  if (!found) found = find_largest(pieces);
  if (!found) found = find_leading(pieces, options.theta);
  if (!found) found = find_coloured(pieces);
  return found ? found_topic(*found, options) : extracted_topic(pieces, options);
}

}  // namespace blockarch
