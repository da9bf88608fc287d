#include "history/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/charset.h"
#include "history/block_text.h"
#include "segment/attributes.h"
#include "segment/start_tag.h"
#include "segment/words.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxWords = 200'000;  // of a page
constexpr std::size_t kTopicWords = 100;

bool is_read(const PageBlock& block) {
  return block.kind == PageBlockKind::text || block.kind == PageBlockKind::media;
}

// Nothing but noise and signs that stand around it ("· 3 minutes ago").
bool says_nothing(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

void append_targets(ByteView markup, std::string& to) {
  for (std::size_t at = markup.find('<'); at < markup.size();) {
    const ByteView tag = markup.substr(at, std::max<std::size_t>(tag_size(markup.substr(at)), 1));
    const bool target = tag.size() > 2 && (tag[1] == 'a' || tag[1] == 'A' || tag[1] == 'i' || tag[1] == 'I');
    if (target) {
      AttributeReader attributes(tag);
      Attribute attribute;
      while (attributes.next(attribute)) {
        const bool meant = equals_ignoring_case(attribute.name, "href") ||
                           equals_ignoring_case(attribute.name, "src") || equals_ignoring_case(attribute.name, "alt");
        if (!meant || attribute.value.empty() || attribute.value.starts_with("data:")) continue;
        to += '\n';
        to += attribute.value;
      }
    }
    at = markup.find('<', at + tag.size());
  }
}

// The text of a stretch of the page as if the noise in it were not there: whether there is an ad says as little as which.
std::string text_without_noise(ByteView masked, const PageBlocks& blocks) {
  const std::string marked = markup_text(masked, blocks.markup, blocks.charset);
  std::string text;
  for (const char c : marked) {
    const bool blank_again = c == ' ' && (text.empty() || text.back() == ' ');
    if (c != kNoiseMark && !blank_again) text += c;
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string masked_text(ByteView page, const PageBlocks& blocks, const PageBlock& block) {
  return text_without_noise(without_noise(page, block.begin, block.end, blocks.noise), blocks);
}

// The paragraphs, spans and lines that the National Library's collector digests.
bool has_library_text(ByteView page, const PageBlocks& blocks, const PageBlock& block) {
  if (block.kind != PageBlockKind::text) return false;
  if (blocks.markup != Markup::html) return true;
  if (page.substr(block.begin, block.end - block.begin).find("<span") != ByteView::npos) return true;
  const auto& elements = blocks.tree.elements;
  for (std::uint32_t i = block.element; i != kNoElement && i != 0; i = elements[i].parent) {
    const ByteView name = element_name(page, elements[i]);
    if (equals_ignoring_case(name, "p") || equals_ignoring_case(name, "span")) return true;
  }
  for (std::uint32_t c = elements[block.element].first_child; c != kNoElement; c = elements[c].next_sibling) {
    if (elements[c].kind == ElementKind::line_break) return true;
  }
  return false;
}

// Only the words in their order: which of them are a block together is the page's own affair.
void add_text(ByteView page, const PageBlocks& blocks, Basis basis, Hasher& hasher) {
  for (const PageBlock& block : blocks.blocks) {
    const bool wanted = basis == Basis::text ? has_library_text(page, blocks, block) : is_read(block);
    if (!wanted) continue;
    const std::string part = masked_text(page, blocks, block);
    if (!says_nothing(part)) hasher.update(part).update(" ");
  }
}

// Of the whole page: a link may stand around blocks.
void add_targets(ByteView page, const PageBlocks& blocks, Hasher& hasher) {
  std::string targets;
  std::uint64_t at = 0;
  for (const PageBlock& block : blocks.blocks) {
    append_targets(without_noise(page, at, block.begin, blocks.noise), targets);
    at = block.end;
    if (is_read(block)) append_targets(without_noise(page, block.begin, block.end, blocks.noise), targets);
  }
  append_targets(without_noise(page, at, page.size(), blocks.noise), targets);
  // As a set: in which order they come, and how often, is a matter of layout.
  std::vector<std::string_view> sorted;
  for (std::string_view rest = targets; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view target = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(target.size());
    sorted.push_back(target);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const std::string_view target : sorted) hasher.update("\n").update(target);
}

std::uint64_t hash64(std::string_view text) {
  const Hash256 hash = blake3(text);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8 | hash.bytes[i];
  return value;
}

// Stems of the words that are no stop words, the most frequent ones.
Meaning topic_words(ByteView page, const PageBlocks& blocks) {
  std::vector<std::string> words;
  for (const PageBlock& block : blocks.blocks) {
    if (block.kind != PageBlockKind::text || words.size() >= kMaxWords) continue;
    const std::string text = masked_text(page, blocks, block);
    for (const std::string_view word : split_words(text, kMaxWords - words.size())) words.push_back(lower_case(word));
  }
  std::vector<StopWordOf> stops;
  stops.reserve(words.size());
  for (const std::string& word : words) stops.push_back(stop_word_of(word));
  const Language& language = guess_language(stops);
  std::unordered_map<std::string, std::uint32_t> counts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_stop_word(language, stops[i])) ++counts[stem(language, words[i])];
  }
  std::vector<std::pair<std::string, std::uint32_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (sorted.size() > kTopicWords) sorted.resize(kTopicWords);
  Meaning meaning;
  for (const auto& [word, count] : sorted) meaning.words.emplace_back(hash64(word), count);
  std::sort(meaning.words.begin(), meaning.words.end());
  Hasher hasher;
  for (const auto& [word, count] : meaning.words) hasher.update(fmt::format("{} {}\n", word, count));
  meaning.digest = hasher.finish();
  return meaning;
}

// 1 minus the cosine of the angle between the two lists of counts.
double distance(const Meaning& a, const Meaning& b) {
  const auto length = [](const Meaning& m) {
    double sum = 0;
    for (const auto& [word, count] : m.words) sum += static_cast<double>(count) * count;
    return std::sqrt(sum);
  };
  if (a.words.empty() || b.words.empty()) return a.words.size() == b.words.size() ? 0 : 1;
  double product = 0;
  for (std::size_t i = 0, j = 0; i < a.words.size() && j < b.words.size();) {
    if (a.words[i].first == b.words[j].first) {
      product += static_cast<double>(a.words[i++].second) * b.words[j++].second;
    } else if (a.words[i].first < b.words[j].first) {
      ++i;
    } else {
      ++j;
    }
  }
  return 1 - product / (length(a) * length(b));
}

}  // namespace

Result<SignificanceOptions> parse_basis(std::string_view text) {
  SignificanceOptions options;
  if (text == "content") return options;
  if (text == "source") return SignificanceOptions{Basis::source};
  if (text == "text") return SignificanceOptions{Basis::text};
  if (text == "words") return SignificanceOptions{Basis::words};
  constexpr std::string_view kShare = "words=";
  if (text.starts_with(kShare)) {
    const std::string_view number = text.substr(kShare.size());
    double share = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), share);
    if (problem == std::errc() && end == number.data() + number.size() && share >= 0 && share <= 1) {
      return SignificanceOptions{Basis::words, share};
    }
  }
  return Error{
      ErrorCode::invalid,
      fmt::format("'{}' is nothing to compare by: there are content, source, text, words and words=SHARE with a "
                  "share from 0 to 1",
                  text)};
}

std::string block_content(ByteView page, const PageBlocks& blocks, const PageBlock& block) {
  const Bytes masked = without_noise(page, block.begin, block.end, blocks.noise);
  std::string content = text_without_noise(masked, blocks);
  if (blocks.markup != Markup::none) append_targets(masked, content);
  return content;
}

Meaning read_meaning(ByteView page, const PageFacts& version, std::string_view url, const SignificanceRules& rules,
                     const SignificanceOptions& options) {
  Meaning meaning;
  PageBlocks blocks = read_page_blocks(page, version);
  if (!blocks.is_text()) {
    meaning.digest = version.payload_hash;
    return meaning;
  }
  drop_noise(page, blocks, rules.find_noise(page, blocks, url, options.basis != Basis::source));
  if (options.basis == Basis::words) return topic_words(page, blocks);
  Hasher hasher;
  if (options.basis == Basis::source) {
    hasher.update(without_noise(page, 0, page.size(), blocks.noise));
  } else {
    add_text(page, blocks, options.basis, hasher);
    if (options.basis == Basis::content && blocks.markup != Markup::none) add_targets(page, blocks, hasher);
  }
  meaning.digest = hasher.finish();
  return meaning;
}

bool differs(const Meaning& a, const Meaning& b, const SignificanceOptions& options) {
  if (a.digest == b.digest) return false;
  if (options.basis != Basis::words || a.words.empty() || b.words.empty()) return true;
  return distance(a, b) > options.threshold;
}

}  // namespace blockarch
