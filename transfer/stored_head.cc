#include "transfer/stored_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace blockarch {
namespace {

constexpr std::string_view kDerived = "=";

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    const auto low = [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; };
    return low(x) == low(y);
  });
}

// Where the value of a Content-Length line stands in a head; nothing where there is none, or more than one.
struct ValuePlace {
  std::size_t begin = 0;
  std::size_t size = 0;
};

std::optional<ValuePlace> find_length(std::string_view head) {
  std::optional<ValuePlace> found;
  for (std::size_t line = 0; line < head.size();) {
    const std::size_t end = std::min(head.find('\n', line), head.size());
    const std::string_view text = head.substr(line, end - line);
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos && equals_ignoring_case(text.substr(0, colon), "content-length")) {
      if (found) return std::nullopt;
      const std::size_t begin = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
      const std::size_t last = text.find_last_not_of(" \t\r");
      found = ValuePlace{line + begin, last == std::string_view::npos || last < begin ? 0 : last + 1 - begin};
    }
    line = end + 1;
  }
  return found;
}

}  // namespace

std::string stored_head(const HttpMessage& message, std::uint64_t body_size) {
  std::string head(message.head);
  // The empty line at the end, whichever way it is written.
  if (head.ends_with("\r\n\r\n")) {
    head.resize(head.size() - 2);
  } else if (head.ends_with("\n\n")) {
    head.resize(head.size() - 1);
  } else if (!head.ends_with("\n")) {
    head += "\r\n";  // it was cut short; once exported it is not, and must come back the same
  }
  const auto place = find_length(head);
  if (place && std::string_view(head).substr(place->begin, place->size) == fmt::to_string(body_size)) {
    head.replace(place->begin, place->size, kDerived);
  }
  return head;
}

Bytes restored_head(std::string_view stored, std::uint64_t body_size) {
  Bytes head(stored);
  const auto place = find_length(head);
  if (place && std::string_view(head).substr(place->begin, place->size) == kDerived) {
    head.replace(place->begin, place->size, fmt::to_string(body_size));
  }
  const bool plain_lines = head.ends_with("\n") && !head.ends_with("\r\n");
  if (!head.ends_with("\n")) head += "\r\n";
  return head + (plain_lines ? "\n" : "\r\n");
}

}  // namespace blockarch
