#include "segment/link_values.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace blockarch {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_name_character(char c) {
  const char lower = to_lower(c);
  return (lower >= 'a' && lower <= 'z') || is_digit(c) || c == '-' || c == '_' ||
         (static_cast<unsigned char>(c) >= 0x80);
}

// `word` is in lower case.
bool has_word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  return std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == to_lower(b); });
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

// --- character references ---

void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0 | point >> 6), put(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    put(0xe0 | point >> 12), put(0x80 | (point >> 6 & 0x3f)), put(0x80 | (point & 0x3f));
  } else {
    put(0xf0 | point >> 18), put(0x80 | (point >> 12 & 0x3f));
    put(0x80 | (point >> 6 & 0x3f)), put(0x80 | (point & 0x3f));
  }
}

int digit_value(char c, std::uint32_t base) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return base == 16 && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// "&#38;" or "&#x26;" at the beginning of `text`: appends the character and returns the length; 0 where it is
// none. Code points that cannot stand in a URL anyway (controls, surrogates, beyond Unicode) are left
// undecoded.
std::size_t decode_number(std::string_view text, std::string& out) {
  if (!text.starts_with("&#")) return 0;
  const bool hex = text.size() > 2 && to_lower(text[2]) == 'x';
  const std::uint32_t base = hex ? 16 : 10;
  const std::size_t begin = hex ? 3 : 2;
  std::size_t at = begin;
  std::uint32_t point = 0;
  for (int value; at < text.size() && (value = digit_value(text[at], base)) >= 0; ++at)
    point = std::min<std::uint32_t>(point * base + static_cast<std::uint32_t>(value), 0x110000);
  const bool usable =
      point >= 0x20 && point < 0x110000 && !(point >= 0x7f && point < 0xa0) && !(point >= 0xd800 && point < 0xe000);
  const bool blank = point == '\t' || point == '\n';
  if (at == begin || !(usable || blank)) return 0;
  append_utf8(out, point);
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

std::size_t decode_name(std::string_view text, std::string& out) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kNames{
      {{"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}}};
  for (const auto& [name, character] : kNames) {
    if (!text.starts_with(name)) continue;
    out.push_back(character);
    return name.size();
  }
  return 0;
}

}  // namespace

DecodedValue::DecodedValue(std::string_view source) {
  text_.reserve(source.size());
  std::size_t at = 0;
  while (at < source.size()) {
    const std::size_t next = std::min(source.find('&', at), source.size());
    text_.append(source.substr(at, next - at));
    at = next;
    if (at == source.size()) break;
    std::size_t length = decode_number(source.substr(at), text_);
    if (length == 0) length = decode_name(source.substr(at), text_);
    if (length == 0) {
      text_.push_back('&');
      ++at;
    } else {
      at += length;
      steps_.push_back({text_.size(), at});
    }
  }
}

std::size_t DecodedValue::source_offset(std::size_t at) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), at,
                                      [](std::size_t offset, const Step& step) { return offset < step.text; });
  if (after == steps_.begin()) return at;
  const Step& step = *std::prev(after);
  return step.source + (at - step.text);
}

TextRange DecodedValue::in_source(const TextRange& range) const {
  return {source_offset(range.begin), source_offset(range.end)};
}

// --- srcset ---

std::vector<TextRange> srcset_urls(std::string_view text) {
  std::vector<TextRange> urls;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && (is_blank(text[at]) || text[at] == ',')) ++at;
    if (at == text.size()) return urls;
    const std::size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    std::size_t end = at;
    while (text[end - 1] == ',') --end;
    urls.push_back({begin, end});
    if (end < at) continue;  // a comma that ends the URL ends the candidate
    int depth = 0;
    for (; at < text.size() && (depth > 0 || text[at] != ','); ++at) {
      if (text[at] == '(') ++depth;
      if (text[at] == ')' && depth > 0) --depth;
    }
  }
}

// --- meta refresh ---

std::optional<TextRange> refresh_url(std::string_view text) {
  std::size_t at = skip_blanks(text, 0);
  const std::size_t number = at;
  while (at < text.size() && (is_digit(text[at]) || text[at] == '.')) ++at;
  if (at == number || at == text.size()) return std::nullopt;
  if (text[at] != ';' && text[at] != ',' && !is_blank(text[at])) return std::nullopt;
  at = skip_blanks(text, at);
  if (at < text.size() && (text[at] == ';' || text[at] == ',')) at = skip_blanks(text, at + 1);
  if (has_word_at(text, at, "url")) {
    const std::size_t equals = skip_blanks(text, at + 3);
    if (equals < text.size() && text[equals] == '=') at = skip_blanks(text, equals + 1);
  }
  std::size_t end = text.size();
  if (at < end && (text[at] == '"' || text[at] == '\'')) {
    end = std::min(text.find(text[at], at + 1), end);
    ++at;
  }
  if (at >= end) return std::nullopt;
  return TextRange{at, end};
}

// --- CSS ---

namespace {

// Finds URLs in one walk: every step continues where the last one stopped.
class CssScanner {
 public:
  explicit CssScanner(std::string_view text) : text_(text) {}

  std::vector<TextRange> scan() {
    while (at_ < text_.size()) step();
    return std::move(urls_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '/' && text_.substr(at_, 2) == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      take_string(StringUse::other);
    } else if (c == '\\') {
      at_ = std::min(at_ + 2, text_.size());
    } else if (c == '@') {
      take_import();
    } else if (is_name_character(c)) {
      take_name();
    } else {
      ++at_;
    }
  }

  void take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const bool is_url = at_ - begin == 3 && has_word_at(text_, begin, "url") && at_ < text_.size() && text_[at_] == '(';
    if (!is_url) return;
    at_ = skip_blanks(text_, at_ + 1);
    if (at_ == text_.size()) return;
    if (text_[at_] == '"' || text_[at_] == '\'') return take_string(StringUse::url);
    const std::size_t url = at_;
    at_ = std::min(text_.find_first_of(" \t\n\r\f()\"'\\", at_), text_.size());
    const std::size_t close = skip_blanks(text_, at_);
    if (close < text_.size() && text_[close] == ')') add(url, at_);
    at_ = close;
  }

  void take_import() {
    if (!has_word_at(text_, at_, "@import")) {
      ++at_;
      return;
    }
    at_ = skip_blanks(text_, at_ + 7);
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) take_string(StringUse::import);
  }

  enum class StringUse { other, url, import };

  void take_string(StringUse use) {
    const std::array<char, 3> stops{text_[at_], '\n', '\\'};
    const std::size_t begin = ++at_;
    bool escaped = false;
    while (true) {
      at_ = std::min(text_.find_first_of(std::string_view(stops.data(), stops.size()), at_), text_.size());
      if (at_ == text_.size() || text_[at_] != '\\') break;
      escaped = true;
      at_ = std::min(at_ + 2, text_.size());
    }
    if (at_ == text_.size()) return;
    const std::size_t end = at_++;
    const std::size_t next = skip_blanks(text_, at_);
    const bool closed = use == StringUse::import || (use == StringUse::url && text_.substr(next, 1) == ")");
    if (closed && !escaped && text_[end] == stops[0]) add(begin, end);
  }

  void add(std::size_t begin, std::size_t end) {
    if (begin < end) urls_.push_back({begin, end});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<TextRange> urls_;
};

}  // namespace

std::vector<TextRange> css_urls(std::string_view text) {
  return CssScanner(text).scan();
}

void append_percent(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out.push_back('%');
  out.push_back(kDigits[byte >> 4]);
  out.push_back(kDigits[byte & 15]);
}

}  // namespace blockarch
