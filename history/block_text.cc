#include "history/block_text.h"

#include <algorithm>

#include "base/charset.h"
#include "segment/attributes.h"
#include "segment/fragment_text.h"
#include "segment/references.h"
#include "segment/start_tag.h"
#include "segment/words.h"

namespace blockarch {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// Bytes of the character that begins with `c`.
std::size_t character_size(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

void append_blank(std::string& to) {
  if (!to.empty() && to.back() != ' ') to += ' ';
}

void append_text(std::string& to, std::string_view text, bool references) {
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (references && c == '&') {
      const std::size_t size_before = to.size();
      at += append_reference(text.substr(at), to);
      const bool blank = to.size() == size_before + 1 && is_blank(to.back());
      if (blank) to.pop_back(), append_blank(to);
    } else if (is_blank(c)) {
      append_blank(to);
      ++at;
    } else {
      const std::size_t end = std::min(text.find_first_of(" &\t\n\r\f", at + 1), text.size());
      to.append(text, at, end - at);
      at = end;
    }
  }
}

// Past the end tag of a script or style at the beginning of `rest`; elsewhere nothing.
std::size_t hidden_size(std::string_view rest, std::string_view tag) {
  for (const std::string_view name : {"script", "style"}) {
    if (tag.size() <= name.size() || !equals_ignoring_case(tag.substr(1, name.size()), name)) continue;
    for (std::size_t at = rest.find("</"); at != std::string_view::npos; at = rest.find("</", at + 2)) {
      if (equals_ignoring_case(rest.substr(at + 2, name.size()), name)) return at;
    }
    return rest.size();
  }
  return 0;
}

bool separates(std::string_view tag) {
  // Inside a word: "<b>w</b>ord". Every other tag ends one.
  constexpr std::string_view kInside[] = {"a",    "b",    "i",     "u",   "em", "font", "span", "strong",
                                          "code", "mark", "small", "sub", "s",  "sup",  "q",    "wbr"};
  const std::size_t begin = tag.starts_with("</") ? 2 : 1;
  const std::string_view name =
      tag.substr(begin, std::min(tag.find_first_of(" \t\n\r\f/>", begin), tag.size()) - begin);
  return std::none_of(std::begin(kInside), std::end(kInside),
                      [&](std::string_view inside) { return equals_ignoring_case(name, inside); });
}

std::string text_of_markup(std::string_view rest) {
  std::string text;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('<'), rest.size());
    append_text(text, rest.substr(0, open), true);
    rest.remove_prefix(open);
    if (rest.starts_with("<!--")) {
      const std::size_t end = rest.find("-->");
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 3);
    } else if (rest.starts_with("<![CDATA[")) {
      const std::size_t end = std::min(rest.find("]]>"), rest.size());
      append_text(text, rest.substr(9, end - std::min<std::size_t>(end, 9)), false);
      rest.remove_prefix(std::min(end + 3, rest.size()));
    } else if (!rest.empty()) {
      const std::string_view tag = rest.substr(0, tag_size(rest));
      rest.remove_prefix(tag.size());
      rest.remove_prefix(hidden_size(rest, tag));
      if (separates(tag)) append_blank(text);
    }
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string plain_text(std::string_view source) {
  std::string text;
  append_text(text, source, false);
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

std::string markup_text(ByteView markup, Markup kind, const std::string& charset) {
  const std::string utf8 = to_utf8(markup, charset);
  return kind == Markup::none ? plain_text(utf8) : text_of_markup(utf8);
}

std::string block_text(ByteView page, const PageBlocks& blocks, const PageBlock& block) {
  const ByteView bytes = page.substr(block.begin, block.end - block.begin);
  switch (block.kind) {
    case PageBlockKind::bytes:
      return {};
    case PageBlockKind::text:
      return markup_text(bytes, blocks.markup, blocks.charset);
    case PageBlockKind::media: {
      const std::string source = to_utf8(bytes, blocks.charset);
      std::string alternative = alternative_text(source);
      return alternative.empty() ? plain_text(source) : alternative;
    }
    case PageBlockKind::head:
    case PageBlockKind::script:
    case PageBlockKind::style:
      break;
  }
  return plain_text(to_utf8(bytes, blocks.charset));
}

std::uint32_t Numbering::of(std::string_view text) {
  return known_.emplace(text, static_cast<std::uint32_t>(known_.size())).first->second;
}

std::vector<std::string_view> text_tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  const auto add_signs = [&](std::string_view signs) {
    while (!signs.empty() && tokens.size() < kMaxTokens) {
      const std::size_t size = std::min(character_size(signs[0]), signs.size());
      if (!is_blank(signs[0])) tokens.push_back(signs.substr(0, size));
      signs.remove_prefix(size);
    }
  };
  std::size_t at = 0;
  for (const std::string_view word : split_words(text, kMaxTokens)) {
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    add_signs(text.substr(at, begin - at));
    if (tokens.size() >= kMaxTokens) break;
    tokens.push_back(word);
    at = begin + word.size();
  }
  if (tokens.size() < kMaxTokens) {
    add_signs(text.substr(at));
  }
  if (tokens.size() >= kMaxTokens) {
    const auto begin = static_cast<std::size_t>(tokens.back().data() - text.data());
    tokens.back() = text.substr(begin);
  }
  return tokens;
}

namespace {

struct Step {
  std::size_t a_begin, a_end;  // tokens that went
  std::size_t b_begin, b_end;  // tokens that came
  std::size_t same;            // tokens that agree after them
};

std::vector<Step> steps_of(std::size_t a_size, std::size_t b_size, const std::vector<SequenceMatch>& matches) {
  std::vector<Step> steps;
  std::size_t a = 0;
  std::size_t b = 0;
  for (const SequenceMatch& match : matches) {
    steps.push_back({a, match.a, b, match.b, match.size});
    a = match.a + match.size;
    b = match.b + match.size;
  }
  if (a < a_size || b < b_size) steps.push_back({a, a_size, b, b_size, 0});
  return steps;
}

// A sign or two words that agree by chance between longer parts that do not: easier to read as one change.
std::vector<Step> without_chance(const std::vector<Step>& steps) {
  const auto weight = [](const Step& s) { return (s.a_end - s.a_begin) + (s.b_end - s.b_begin); };
  std::vector<Step> list;
  for (const Step& step : steps) {
    if (!list.empty() && list.back().same > 0 && list.back().same <= 2) {
      Step& last = list.back();
      const bool both_sides = last.a_end > last.a_begin && last.b_end > last.b_begin && step.a_end > step.a_begin &&
                              step.b_end > step.b_begin;
      if (both_sides && weight(last) + weight(step) >= 8 * last.same) {
        last.a_end = step.a_end;
        last.b_end = step.b_end;
        last.same = step.same;
        continue;
      }
    }
    list.push_back(step);
  }
  return list;
}

}  // namespace

std::vector<WordRun> compare_words(std::string_view before, std::string_view after, WorkLimit& limit) {
  const auto a = text_tokens(before);
  const auto b = text_tokens(after);
  Numbering numbers;
  std::vector<std::uint32_t> a_numbers;
  std::vector<std::uint32_t> b_numbers;
  for (const std::string_view token : a) a_numbers.push_back(numbers.of(token));
  for (const std::string_view token : b) b_numbers.push_back(numbers.of(token));
  const auto steps = without_chance(steps_of(a.size(), b.size(), match_sequences(a_numbers, b_numbers, limit)));
  // From the end of the token before to the end of the last one, so that blanks belong to what follows them.
  const auto stretch = [](std::string_view text, const std::vector<std::string_view>& tokens, std::size_t begin,
                          std::size_t end) {
    const char* const from = begin == 0 ? text.data() : tokens[begin - 1].data() + tokens[begin - 1].size();
    const char* const to =
        end == tokens.size() ? text.data() + text.size() : tokens[end - 1].data() + tokens[end - 1].size();
    return std::string_view(from, static_cast<std::size_t>(to - from));
  };
  std::vector<WordRun> runs;
  for (const Step& step : steps) {
    if (step.a_end > step.a_begin) {
      runs.push_back({WordRun::Kind::gone, stretch(before, a, step.a_begin, step.a_end)});
    }
    if (step.b_end > step.b_begin) {
      runs.push_back({WordRun::Kind::come, stretch(after, b, step.b_begin, step.b_end)});
    }
    if (step.same > 0) {
      runs.push_back({WordRun::Kind::same, stretch(after, b, step.b_end, step.b_end + step.same)});
    }
  }
  return runs;
}

}  // namespace blockarch
