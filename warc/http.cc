#include "warc/http.h"

#include <fmt/format.h>

#include <algorithm>

#include "warc/text.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxDefects = 8;

void add_defect(HttpMessage& message, std::string defect) {
  if (message.defects.size() < kMaxDefects) message.defects.push_back(std::move(defect));
}

bool is_token(std::string_view s) {
  for (const char c : s) {
    if (!is_digit(c) && !(lower(c) >= 'a' && lower(c) <= 'z') && c != '-' && c != '_') return false;
  }
  return !s.empty();
}

std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line = trimmed(line.substr(end));
  return word;
}

// "HTTP/1.1 200 OK", "HTTP/1.0 404", "ICY 200 OK"
bool parse_status_line(std::string_view line, HttpMessage& message) {
  const std::string_view version = take_word(line);
  if (!same_letters(version.substr(0, 5), "HTTP/") && version != "ICY" && version != "HTTP") return false;
  message.version = version;
  if (!version.starts_with("HTTP/1.") && !version.starts_with("HTTP/2")) {
    add_defect(message, quoted(version) + " is an unusual version");
  }
  const std::string_view status = take_word(line);
  if (status.size() == 3 && all_digits(status)) {
    message.status = (status[0] - '0') * 100 + (status[1] - '0') * 10 + (status[2] - '0');
  } else {
    add_defect(message, quoted(status) + " is no status");
  }
  message.reason = line;
  return true;
}

// "GET /a HTTP/1.1"; the target may have blanks inside.
bool parse_request_line(std::string_view line, HttpMessage& message) {
  const std::string_view method = take_word(line);
  if (!is_token(method) || line.empty()) return false;
  const std::size_t blank = line.find_last_of(" \t");
  if (blank == std::string_view::npos || !same_letters(line.substr(blank + 1, 5), "HTTP/")) return false;
  message.method = method;
  message.target = trimmed(line.substr(0, blank));
  message.version = line.substr(blank + 1);
  return true;
}

void parse_fields(ByteView lines, HttpMessage& message) {
  while (!lines.empty()) {
    const std::string_view line = take_line(lines);
    if (line.empty()) break;
    const bool folded = line.front() == ' ' || line.front() == '\t';
    const std::size_t colon = line.find(':');
    if (folded && !message.headers.empty()) {
      append_folded(message.headers.back().second, line);
    } else if (colon == std::string_view::npos || colon == 0) {
      add_defect(message, quoted(line) + " is no header line");
    } else {
      message.headers.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
  }
}

// The comma-separated words of every field of that name, in lower case.
std::vector<std::string> words_of(const HttpMessage& message, std::string_view name) {
  std::vector<std::string> words;
  for (const auto& [key, value] : message.headers) {
    if (!same_letters(key, name)) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string word(trimmed(rest.substr(0, std::min(comma, rest.find(';')))));
      std::transform(word.begin(), word.end(), word.begin(), lower);
      if (!word.empty()) words.push_back(std::move(word));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return words;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
  return -1;
}

// Cuts "1a; name=value CRLF" off; nothing where there is no such line.
std::optional<std::uint64_t> take_chunk_size(ByteView& rest) {
  std::uint64_t size = 0;
  std::size_t digits = 0;
  while (digits < rest.size() && hex_value(rest[digits]) >= 0) {
    if (digits == 15) return std::nullopt;
    size = size * 16 + static_cast<std::uint64_t>(hex_value(rest[digits++]));
  }
  const std::size_t end = rest.substr(0, 4096).find('\n');
  if (digits == 0 || end == ByteView::npos) return std::nullopt;
  const std::string_view after = trimmed(rest.substr(digits, end - digits));
  if (!after.empty() && after.front() != ';') return std::nullopt;
  rest.remove_prefix(end + 1);
  return size;
}

}  // namespace

Result<HttpMessage> parse_http(ByteView block) {
  HttpMessage message;
  const std::size_t blanks = std::min(block.find_first_not_of("\r\n"), std::min(block.size(), std::size_t{8}));
  const ByteView text = block.substr(blanks);
  const std::size_t end = find_head_end(text.substr(0, kMaxHttpHead));
  if (end == ByteView::npos && text.size() > kMaxHttpHead) {
    return Error{ErrorCode::invalid, fmt::format("the HTTP head has no end in {} bytes", kMaxHttpHead)};
  }
  const ByteView head = text.substr(0, end);
  ByteView lines = head;
  const std::string_view first = take_line(lines);
  if (!parse_status_line(first, message) && !parse_request_line(first, message)) {
    return Error{ErrorCode::invalid, quoted(first) + " begins no HTTP message"};
  }
  message.head = block.substr(0, blanks + head.size());
  message.body = block.substr(message.head.size());
  parse_fields(lines, message);
  // Requests and revisits are often kept without the empty line.
  if (end == ByteView::npos && !head.ends_with('\n')) add_defect(message, "the HTTP head has no end");
  return message;
}

TransferDecoded decode_transfer(const HttpMessage& message) {
  TransferDecoded result;
  const auto codings = words_of(message, "Transfer-Encoding");
  if (std::find(codings.begin(), codings.end(), "chunked") == codings.end() || message.body.empty()) return result;
  ByteView rest = message.body;
  bool first = true;
  while (true) {
    const ByteView before = rest;
    const auto size = take_chunk_size(rest);
    if (!size) {
      if (first) {
        result.defect = "the body is not chunked although its head says so";
        return result;
      }
      result.defect = before.empty() ? "the chunked body has no end" : "the chunked body has bytes that are no chunk";
      result.owned.append(before);
      break;
    }
    if (first) result.owned.reserve(message.body.size());
    first = false;
    if (*size == 0) break;
    if (*size > rest.size()) {
      result.defect = "the chunked body ends inside a chunk";
      result.owned.append(rest);
      break;
    }
    result.owned.append(rest.substr(0, *size));
    rest.remove_prefix(*size);
    if (rest.starts_with("\r\n")) {
      rest.remove_prefix(2);
    } else if (rest.starts_with("\n")) {
      rest.remove_prefix(1);
    }
  }
  result.is_owned = true;
  return result;
}

std::vector<std::string> content_codings(const HttpMessage& message) {
  auto codings = words_of(message, "Content-Encoding");
  std::erase_if(codings, [](const std::string& coding) { return coding == "identity" || coding == "none"; });
  return codings;
}

Bytes encode_chunked(ByteView bytes) {
  Bytes out;
  out.reserve(bytes.size() + 32);
  if (!bytes.empty()) out.append(fmt::format("{:x}\r\n", bytes.size())).append(bytes).append("\r\n");
  return out.append("0\r\n\r\n");
}

}  // namespace blockarch
