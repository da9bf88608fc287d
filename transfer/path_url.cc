#include "transfer/path_url.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/url.h"

namespace blockarch {
namespace {

constexpr std::string_view kIndex = "index.html";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

void append_encoded(std::string& out, std::string_view text, std::string_view kept) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool escape = c == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2]);
    if (escape || is_letter(c) || is_digit(c) || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

constexpr std::string_view kPathCharacters = "-._~!$&'()*+,;=:@/";
constexpr std::string_view kQueryCharacters = "-._~!$&()*+,;=:@/?|[]{}^`\\";

std::size_t query_begin(std::string_view name) {
  const std::size_t mark = name.find('?');
  if (mark != std::string_view::npos) return mark;
  const std::size_t at = name.find('@');
  const bool is_query = at != std::string_view::npos && at > 0 && name.find('=', at) != std::string_view::npos;
  return is_query ? at : name.size();
}

}  // namespace

std::string encode_path(std::string_view path) {
  std::string out;
  append_encoded(out, path, kPathCharacters);
  return out;
}

std::string encode_saved_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name_begin = slash == std::string_view::npos ? 0 : slash + 1;
  std::string out = encode_path(path.substr(0, name_begin));
  const std::string_view name = path.substr(name_begin);
  const std::size_t query = query_begin(name);
  const std::string_view file = name.substr(0, query);
  if (file != kIndex) append_encoded(out, file, kPathCharacters);
  if (query < name.size()) {
    out += '?';
    append_encoded(out, name.substr(query + 1), kQueryCharacters);
  }
  return out;
}

Result<PathUrl> PathUrl::parse(std::string_view text) {
  PathUrl made;
  const std::size_t path = text.find("{path}");
  const std::size_t stem = text.find("{stem}");
  const std::size_t place = std::min(path, stem);
  if (place != std::string_view::npos) {
    made.stem_ = place == stem;
    made.before_ = text.substr(0, place);
    made.after_ = text.substr(place + 6);
  } else {
    made.before_ = text;
    if (!made.before_.ends_with('/')) made.before_ += '/';
  }
  const bool twice = made.after_.find("{path}") != std::string::npos || made.after_.find("{stem}") != std::string::npos;
  if (twice) return Error{ErrorCode::invalid, fmt::format("'{}' has more than one place for the path", text)};
  if (place == std::string_view::npos && text.find_first_of("?#") != std::string_view::npos) {
    return Error{ErrorCode::invalid,
                 fmt::format("'{}' has a query: write {{path}} where the path of a file is to stand", text)};
  }
  const auto url = parse_url(made.url("a"));
  if (!url) return Error{ErrorCode::invalid, fmt::format("'{}' is no base for URLs: {}", text, url.error().message)};
  return made;
}

std::string PathUrl::url(std::string_view path) const {
  if (stem_) {
    const std::size_t dot = path.rfind('.');
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
    if (dot != std::string_view::npos && dot > name) path = path.substr(0, dot);
  }
  return before_ + std::string(path) + after_;
}

bool looks_like_host(std::string_view name) {
  const std::size_t port = name.find_first_of(":+");
  if (port != std::string_view::npos) {
    const std::string_view digits = name.substr(port + 1);
    if (digits.empty() || digits.size() > 5 || !std::all_of(digits.begin(), digits.end(), is_digit)) return false;
    name = name.substr(0, port);
  }
  if (name == "localhost") return true;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || name[0] == '-' || name.find("..") != std::string_view::npos) {
    return false;
  }
  const bool is_address = std::count(name.begin(), name.end(), '.') == 3 &&
                          std::all_of(name.begin(), name.end(), [](char c) { return is_digit(c) || c == '.'; });
  if (is_address) return is_digit(name.back());
  // International names stand as they were written, or as "xn--…".
  const auto is_name = [](char c) { return is_letter(c) || (c & 0x80) != 0; };
  const std::string_view last = name.substr(dot + 1);
  const bool is_domain =
      last.size() >= 2 && (last.starts_with("xn--") || std::all_of(last.begin(), last.end(), is_name));
  return is_domain && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_name(c) || is_digit(c) || c == '-' || c == '.' || c == '_';
         });
}

std::string host_of_name(std::string_view name) {
  std::string host(name);
  std::replace(host.begin(), host.end(), '+', ':');
  return host;
}

}  // namespace blockarch
