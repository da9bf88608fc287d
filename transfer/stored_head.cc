#include "transfer/stored_head.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "warc/text.h"

namespace blockarch {
namespace {

constexpr std::string_view kDerived = "=";

// Begin and size of the value of Content-Length; nothing where a head has none, or several.
std::optional<std::pair<std::size_t, std::size_t>> length_value(std::string_view head) {
  std::optional<std::pair<std::size_t, std::size_t>> found;
  for (std::string_view rest = head; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !same_letters(line.substr(0, colon), "content-length")) continue;
    if (found) return std::nullopt;
    const std::string_view value = trimmed(line.substr(colon + 1));
    found.emplace(static_cast<std::size_t>(value.data() - head.data()), value.size());
  }
  return found;
}

void replace_length(std::string& head, std::optional<std::string_view> from, std::string_view to) {
  const auto place = length_value(head);
  if (place && (!from || std::string_view(head).substr(place->first, place->second) == *from)) {
    head.replace(place->first, place->second, to);
  }
}

}  // namespace

std::string stored_head(const HttpMessage& message, std::uint64_t body_size) {
  std::string head(message.head);
  if (head.ends_with("\r\n\r\n")) {
    head.resize(head.size() - 2);
  } else if (head.ends_with("\n\n")) {
    head.resize(head.size() - 1);
  } else if (!head.ends_with("\n")) {
    head += "\r\n";  // cut short; what is exported is not, and must come back the same
  }
  replace_length(head, fmt::to_string(body_size), kDerived);
  return head;
}

std::string stored_head_of_repeat(std::string_view stored, std::uint64_t page_size) {
  std::string head(stored);
  const std::string whole = head + "\r\n";
  const auto message = parse_http(whole);
  if (!message || message->status == 304) return head;  // what has no body has no length of one
  if (content_codings(*message).empty()) {
    replace_length(head, fmt::to_string(page_size), kDerived);
  } else {
    replace_length(head, std::nullopt, kDerived);
  }
  return head;
}

Bytes restored_head(std::string_view stored, std::uint64_t body_size) {
  Bytes head(stored);
  replace_length(head, kDerived, fmt::to_string(body_size));
  if (!head.ends_with("\n")) head += "\r\n";
  return head + (head.ends_with("\r\n") ? "\r\n" : "\n");
}

}  // namespace blockarch
