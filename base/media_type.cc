#include "base/charset.h"

#include <algorithm>

namespace blockarch {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view s) {
  s.remove_prefix(std::min(s.find_first_not_of(kBlanks), s.size()));
  return s.substr(0, s.find_last_not_of(kBlanks) + 1);
}

std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Cuts a quoted value off the front, which is its opening quote. One that is never closed ends with the text.
std::string take_quoted(std::string_view& rest) {
  const char quote = rest.front();
  std::string value;
  std::size_t i = 1;
  for (; i < rest.size() && rest[i] != quote; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    value.push_back(rest[i]);
  }
  rest.remove_prefix(std::min(i + 1, rest.size()));
  return value;
}

// Cuts a value off the front: to the next parameter, or to the "," before another header of the same name.
std::string take_value(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) return take_quoted(rest);
  const std::size_t end = std::min(rest.find_first_of(";,"), rest.size());
  const std::string value(trimmed(rest.substr(0, end)));
  rest.remove_prefix(end);
  return value;
}

}  // namespace

MediaType parse_media_type(std::string_view text) {
  text = trimmed(text);
  MediaType type;
  type.essence = lower_case(text.substr(0, text.find_first_of("; \t\r\n,")));
  std::size_t separator;
  while ((separator = text.find(';')) != std::string_view::npos) {
    text.remove_prefix(separator + 1);
    const std::size_t end = text.find_first_of("=;");
    if (end == std::string_view::npos) break;
    const std::string name = lower_case(trimmed(text.substr(0, end)));
    text.remove_prefix(end);
    if (text.front() == ';') continue;
    text.remove_prefix(1);
    const std::string value = take_value(text);
    if (name == "charset" && type.charset_label.empty()) type.charset_label = value;
  }
  return type;
}

}  // namespace blockarch
