// Letters and blanks of heads, without locales.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace blockarch {

inline char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline bool same_letters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline bool all_digits(std::string_view s) {
  for (const char c : s)
    if (!is_digit(c)) return false;
  return !s.empty();
}

inline std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

// Digits only; nothing for anything else or what does not fit.
inline std::optional<std::uint64_t> parse_count(std::string_view s) {
  std::uint64_t value = 0;
  if (!all_digits(s)) return std::nullopt;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

// Cuts the first line off, without its end (LF or CRLF). The last line may have none.
inline std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Adds a folded line to the value it belongs to, which may have nothing on its own line.
inline void append_folded(std::string& value, std::string_view line) {
  if (!value.empty()) value += ' ';
  value += trimmed(line);
}

// The beginning of a version line; letters in either case, as some writers have it.
inline bool begins_with_warc(std::string_view bytes) {
  return bytes.size() >= 5 && same_letters(bytes.substr(0, 5), "WARC/");
}

// Where the empty line ends that ends a head, lines ending in LF or CRLF; npos where it has not come yet. `from`: what
// was searched before.
inline std::size_t find_head_end(std::string_view bytes, std::size_t from = 0) {
  std::size_t at = from < 2 ? 0 : from - 2;
  while ((at = bytes.find('\n', at)) != std::string_view::npos) {
    ++at;
    if (at < bytes.size() && bytes[at] == '\n') return at + 1;
    if (at + 1 < bytes.size() && bytes[at] == '\r' && bytes[at + 1] == '\n') return at + 2;
  }
  return std::string_view::npos;
}

// A value from the outside, fit to stand in a message: short, and without control bytes.
inline std::string quoted(std::string_view s) {
  std::string out = "\"";
  for (const char c : s.substr(0, 60)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return out + (s.size() > 60 ? "…\"" : "\"");
}

}  // namespace blockarch
