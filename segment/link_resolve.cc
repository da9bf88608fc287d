#include <algorithm>
#include <string_view>
#include <utility>

#include "base/charset.h"
#include "segment/link_values.h"
#include "segment/links.h"

namespace blockarch {
namespace {

bool is_control_or_space(char c) {
  return static_cast<unsigned char>(c) <= 0x20;
}
bool is_non_ascii(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

// What browsers drop before they look at a URL.
std::string cleaned(std::string_view value) {
  while (!value.empty() && is_control_or_space(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_control_or_space(value.back())) value.remove_suffix(1);
  std::string out(value);
  std::erase_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  return out;
}

std::string percent_encoded(std::string_view text, bool (*unsafe)(char)) {
  std::string out;
  for (char c : text) {
    if (unsafe(c)) {
      append_percent(out, c);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// A URL's text as UTF-8 that parse_url takes: bytes of another charset transcoded, or escaped as they are in
// the query.
std::string as_utf8(std::string_view text, std::string_view charset) {
  const std::size_t query = std::min(text.find('?'), text.size());
  std::string out;
  if (is_valid_utf8(text)) {
    out = text;
  } else {
    out = to_utf8(text.substr(0, query), charset) + percent_encoded(text.substr(query), is_non_ascii);
  }
  return percent_encoded(out, [](char c) { return is_control_or_space(c) || c == 0x7f; });
}

// In lower case; empty where the text begins with none.
std::string scheme_of(std::string_view text) {
  const std::size_t colon = text.find_first_of(":/?\\");
  if (colon == std::string_view::npos || colon == 0 || text[colon] != ':') return {};
  std::string scheme(text.substr(0, colon));
  for (char& c : scheme) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool letter = c >= 'a' && c <= 'z';
    const bool other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!letter && (!other || &c == scheme.data())) return {};
  }
  return scheme;
}

bool is_special(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "ftp" || scheme == "ws" || scheme == "wss" ||
         scheme == "file";
}

// The text of the absolute URL, still to be parsed: dot segments and the like are the parser's business.
// Nothing where there is no base to be relative to.
std::optional<std::string> absolute(std::string_view text, const Url& base) {
  const bool special = is_special(base.scheme);
  if (const std::string scheme = scheme_of(text); !scheme.empty()) {
    // "https:page" is relative to a page of the same scheme, by an old rule.
    const std::string_view rest = text.substr(scheme.size() + 1);
    if (!special || scheme != base.scheme || rest.starts_with("//")) return std::string(text);
    text = rest;
  }
  if (text.empty()) return base.href;
  const std::size_t tail = base.path.size() + (base.has_query ? base.query.size() + 1 : 0);
  const std::string origin = base.href.substr(0, base.href.size() - tail);
  const bool has_authority = origin.find("//") != std::string::npos;
  if (!base.path.starts_with('/') && !has_authority) return std::nullopt;  // "mailto:x" has nothing beside it
  const auto is_slash = [special](char c) { return c == '/' || (special && c == '\\'); };
  if (text[0] == '?') return origin + base.path + std::string(text);
  if (!is_slash(text[0])) {
    const std::string folder = base.path.substr(0, base.path.rfind('/') + 1);
    return origin + (folder.empty() ? "/" : folder) + std::string(text);
  }
  const bool names_host = text.size() > 1 && is_slash(text[1]);
  return names_host ? base.scheme + "://" + std::string(text.substr(2)) : origin + "/" + std::string(text.substr(1));
}

}  // namespace

std::optional<LinkTarget> resolve_link(std::string_view value, const Url& base, std::string_view charset) {
  if (value.size() > kMaxUrlLength) return std::nullopt;
  const std::string text = cleaned(value);
  const std::size_t hash = std::min(text.find('#'), text.size());
  const std::optional<std::string> whole = absolute(as_utf8(text.substr(0, hash), charset), base);
  if (!whole) return std::nullopt;
  Result<Url> url = parse_url(*whole);
  if (!url) return std::nullopt;
  LinkTarget target{std::move(url).value(), std::nullopt};
  if (hash < text.size()) {
    std::string fragment = text.substr(hash + 1);
    if (!is_valid_utf8(fragment)) fragment = to_utf8(fragment, charset);
    target.fragment = percent_encoded(fragment, [](char c) {
      return is_control_or_space(c) || is_non_ascii(c) || c == 0x7f || c == '"' || c == '<' || c == '>' || c == '`';
    });
  }
  return target;
}

}  // namespace blockarch
