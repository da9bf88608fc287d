#include "segment/text_count.h"

#include <algorithm>

#include "base/charset.h"

namespace blockarch {
namespace {

constexpr std::array<std::string_view, kScripts> kNames = {"cjk", "syllabic", "latin", "abjad", "abugida"};
constexpr std::array<double, kScripts> kPerHan = {1, 1.5, 3, 2, 3};
constexpr std::size_t kLongestReference = 12;

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The letters of scripts that Unicode keeps apart; what is no letter says nothing.
std::optional<Script> script_of(char32_t c) {
  if (c < 0x80) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter ? std::optional(Script::alphabet) : std::nullopt;
  }
  if (c >= 0xC0 && c < 0x590) return Script::alphabet;
  if ((c >= 0x590 && c < 0x8A0) || (c >= 0xFB1D && c < 0xFE00) || (c >= 0xFE70 && c < 0xFF00)) return Script::abjad;
  if (c >= 0x900 && c < 0x1100) return c >= 0x10A0 ? Script::alphabet : Script::abugida;
  if ((c >= 0x1100 && c < 0x1200) || (c >= 0x3040 && c < 0x3100) || (c >= 0xAC00 && c < 0xD7B0))
    return Script::syllabic;
  if (c >= 0x1200 && c < 0x1380) return Script::syllabic;
  if (c >= 0x1780 && c < 0x18B0) return Script::abugida;
  if (c >= 0x1E00 && c < 0x2000) return Script::alphabet;
  if ((c >= 0x3400 && c < 0xA000) || (c >= 0xF900 && c < 0xFB00) || (c >= 0x20000 && c < 0x32000)) return Script::han;
  return std::nullopt;
}

bool is_ascii_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == 0;
}

bool is_blank(char32_t c) {
  return c == 0xA0 || c == 0x85 || (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) || c == 0x2060 ||
         c == 0x3000 || c == 0xFEFF;
}

}  // namespace

std::string_view script_name(Script script) {
  return kNames[static_cast<std::size_t>(script)];
}

std::optional<Script> script_named(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  return found == kNames.end() ? std::nullopt : std::optional(static_cast<Script>(found - kNames.begin()));
}

double characters_per_han(Script script) {
  return kPerHan[static_cast<std::size_t>(script)];
}

TextCounter::TextCounter(std::string_view charset) {
  if (charset.empty() || charset == "utf-8") return;
  width_ = is_any_of(charset, {"gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"}) ? Width::two_bytes
                                                                                           : Width::one_byte;
  if (is_any_of(charset, {"shift_jis", "euc-jp", "euc-kr"})) wide_ = Script::syllabic;
  if (is_any_of(charset, {"windows-1255", "windows-1256", "iso-8859-6", "iso-8859-8", "iso-8859-8-i"})) {
    narrow_ = Script::abjad;
  }
  if (charset == "windows-874") narrow_ = Script::abugida;
}

std::uint32_t TextCounter::count(ByteView text) {
  std::uint32_t characters = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    bool blank = false;
    at += step(text, at, blank);
    if (!blank) ++characters;
  }
  return characters;
}

void TextCounter::see(char32_t character) {
  if (const auto script = script_of(character)) ++seen_[static_cast<std::size_t>(*script)];
}

// The size of the character at `at`.
std::size_t TextCounter::step(ByteView text, std::size_t at, bool& blank) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) {
    if (first == '&') return reference(text, at, blank);
    blank = is_ascii_blank(text[at]);
    see(first);
    return 1;
  }
  if (width_ == Width::one_byte) {
    blank = first == 0xA0;
    if (!blank) ++seen_[static_cast<std::size_t>(narrow_)];
    return 1;
  }
  if (width_ == Width::two_bytes) {
    ++seen_[static_cast<std::size_t>(wide_)];
    // The blank of full width in GBK and EUC, Big5 and Shift_JIS.
    const ByteView pair = text.substr(at, 2);
    blank = pair == "\xA1\xA1" || pair == "\xA1\x40" || pair == "\x81\x40";
    return std::min<std::size_t>(2, text.size() - at);
  }
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  char32_t character = size == 1 ? first : first & (0x7Fu >> size);
  std::size_t read = 1;
  for (; read < size && at + read < text.size(); ++read) {
    const auto next = static_cast<unsigned char>(text[at + read]);
    if ((next & 0xC0) != 0x80) break;
    character = (character << 6) | (next & 0x3F);
  }
  blank = is_blank(character);
  see(character);
  return read;
}

// "&amp;", "&#8212;": one character. Only the blank ones need to be told apart.
std::size_t TextCounter::reference(ByteView text, std::size_t at, bool& blank) {
  const ByteView start = text.substr(at, kLongestReference);
  const std::size_t close = start.find(';');
  if (close == ByteView::npos || close == 1) return 1;
  const ByteView name = start.substr(1, close - 1);
  const auto part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '#';
  };
  if (!std::all_of(name.begin(), name.end(), part)) return 1;
  blank = is_any_of(name, {"nbsp", "#160", "#xa0", "#xA0", "ensp", "emsp", "thinsp", "zwnj", "zwj", "#12288", "#x3000",
                           "#32", "#10", "#13", "#9", "shy", "#8203", "#x200b"});
  if (name[0] == '#' && !blank) {
    const bool hexadecimal = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    char32_t character = 0;
    for (const char c : name.substr(hexadecimal ? 2 : 1)) {
      const auto digit = static_cast<char32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
      character = character * (hexadecimal ? 16 : 10) + digit;
    }
    see(character);
  }
  return close + 1;
}

Script TextCounter::script() const {
  const auto seen = [&](Script script) { return static_cast<double>(seen_[static_cast<std::size_t>(script)]); };
  Script most = Script::alphabet;
  double weight = 0;
  for (std::size_t i = 0; i < kScripts; ++i) {
    const double here = seen(static_cast<Script>(i)) / kPerHan[i];
    if (here > weight) {
      most = static_cast<Script>(i);
      weight = here;
    }
  }
  // Japanese is mostly Han by count; a page of Chinese has no kana.
  if (most == Script::han && seen(Script::syllabic) * 20 >= seen(Script::han)) return Script::syllabic;
  return most;
}

}  // namespace blockarch
