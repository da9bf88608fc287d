// How a URL is parsed. lexbor 3.0.1 reads credentials, hosts and ports well, but not paths: it loses the
// empty segment of "/a//./b", takes the "?" of "/a//.?b" for nothing and keeps the fragment of "/%#x", so
// that different URLs would become one. So it is given the authority alone, and the path and query states of
// the standard are written out here.
#include "base/url.h"

#include <fmt/format.h>
#include <lexbor/url/url.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/charset.h"
#include "base/hash.h"

namespace blockarch {
namespace {

Error refused(std::string_view given, std::string_view reason) {
  constexpr std::size_t kShown = 200;
  return {ErrorCode::invalid, fmt::format("{:?}{} is not a URL we can keep: {}", given.substr(0, kShown),
                                          given.size() > kShown ? "…" : "", reason)};
}

// The reason alone; parse_url adds the text.
Error because(std::string reason) {
  return {ErrorCode::invalid, std::move(reason)};
}

bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool whole = text[i] == '%' && i + 2 < text.size();
    const int high = whole ? hex_value(text[i + 1]) : -1;
    const int low = whole ? hex_value(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

// Encodes what is not ASCII, and the characters of `set`.
std::string percent_encoded(std::string_view text, std::string_view set) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || set.find(c) != std::string_view::npos) {
      out += fmt::format("%{:02X}", byte);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// Cuts `text` at the first `mark` and gives what follows the mark; nothing where there is none.
std::optional<std::string_view> cut_at(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view after = text.substr(at + 1);
  text = text.substr(0, at);
  return after;
}

// --- scheme ---

// The standard's "special" ones, which always have a host.
bool is_special(std::string_view scheme) {
  constexpr std::array<std::string_view, 6> kSpecial{"http", "https", "ws", "wss", "ftp", "file"};
  return std::find(kSpecial.begin(), kSpecial.end(), scheme) != kSpecial.end();
}

// In lower case, without the ":"; nothing where the text begins with no scheme.
std::optional<std::string> scheme_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !is_alpha(text.front())) return std::nullopt;
  const std::string_view scheme = text.substr(0, colon);
  for (char c : scheme)
    if (!is_alpha(c) && !is_digit(c) && c != '+' && c != '-' && c != '.') return std::nullopt;
  return lower_case(scheme);
}

// "example.com:8080/a" and "localhost:80": a port follows what would be the scheme.
bool is_host_and_port(std::string_view scheme, std::string_view rest) {
  if (scheme != "localhost" && scheme.find('.') == std::string_view::npos) return false;
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  return digits > 0 && (digits == rest.size() || std::string_view("/?#").find(rest[digits]) != std::string_view::npos);
}

// --- authority ---

struct FreeParser {
  void operator()(lxb_url_parser_t* p) const {
    lxb_url_parser_memory_destroy(p);
    lxb_url_parser_destroy(p, true);
  }
};

lxb_status_t append_to(const lxb_char_t* data, std::size_t size, void* out) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), size);
  return LXB_STATUS_OK;
}

// From the last thing that the parser noted.
std::string reason_of(const lxb_url_parser_t& parser) {
  const std::size_t count = parser.log ? lexbor_plog_length(parser.log) : 0;
  if (count == 0) return "its host name is not valid";
  const auto* last = static_cast<lexbor_plog_entry_t*>(lexbor_array_obj_get(&parser.log->list, count - 1));
  switch (last->id) {
    case LXB_URL_ERROR_TYPE_PORT_OUT_OF_RANGE:
    case LXB_URL_ERROR_TYPE_PORT_INVALID:
      return "its port is not a number up to 65535";
    case LXB_URL_ERROR_TYPE_HOST_MISSING:
    case LXB_URL_ERROR_TYPE_INVALID_CREDENTIALS:
      return "its host is missing";
    default:
      break;
  }
  if (last->id >= LXB_URL_ERROR_TYPE_IPV4_EMPTY_PART && last->id <= LXB_URL_ERROR_TYPE_IPV4_IN_IPV6_TOO_FEW_PARTS)
    return "its host is not a valid IP address";
  return "its host name is not valid";
}

struct Authority {
  std::string text;  // "user:password@host:8080" in canonical form
  std::string host;
};

Result<Authority> parse_authority_once(std::string_view scheme, const std::string& written) {
  const std::string begin = fmt::format("{}://", scheme);
  const std::string end = is_special(scheme) ? "/" : "";
  const std::string whole = begin + written + end;
  const std::unique_ptr<lxb_url_parser_t, FreeParser> parser(lxb_url_parser_create());
  if (!parser || lxb_url_parser_init(parser.get(), nullptr) != LXB_STATUS_OK) throw std::bad_alloc();
  const auto* bytes = reinterpret_cast<const lxb_char_t*>(whole.data());
  const lxb_url_t* parsed = lxb_url_parse(parser.get(), nullptr, bytes, whole.size());
  if (!parsed) return because(reason_of(*parser));
  Authority authority;
  std::string href;
  if (lxb_url_serialize_host(&parsed->host, append_to, &authority.host) != LXB_STATUS_OK ||
      lxb_url_serialize(parsed, append_to, &href, true) != LXB_STATUS_OK)
    throw std::bad_alloc();
  // Whatever a name was mapped to, it must not have become more than a host.
  if (parsed->path.str.length != end.size() || parsed->query.data || parsed->fragment.data)
    return because("its host name is not valid");
  authority.text = href.substr(begin.size(), href.size() - begin.size() - end.size());
  return authority;
}

// "xn--google-.com" would decode to "google.com", and "xn--" to nothing.
bool has_hollow_punycode(std::string_view host) {
  const auto ends_label = [](char c) { return c == '.' || c == ':' || static_cast<unsigned char>(c) >= 0x80; };
  while (!host.empty()) {
    const auto end = std::find_if(host.begin(), host.end(), ends_label);
    const std::string label = lower_case(host.substr(0, static_cast<std::size_t>(end - host.begin())));
    if (label.starts_with("xn--") && label.ends_with('-')) return true;
    host.remove_prefix(std::min(label.size() + 1, host.size()));
  }
  return false;
}

// Of a host that will go through IDNA: what lexbor would get wrong.
Result<void> check_host(std::string_view host) {
  const std::string decoded = percent_decoded(host);
  // It trusts the bytes to be UTF-8, also those that it decodes ("%C1%A1" would be "a").
  if (!is_valid_utf8(decoded)) return because("its host is not UTF-8");
  // Its work on an international name grows with the square of the length.
  if (host.size() > kMaxUrlHost) return because("its host is longer than 1024 bytes");
  if (has_hollow_punycode(decoded)) return because("its host name is not valid");
  return {};
}

Result<Authority> parse_authority(std::string_view scheme, std::string_view written) {
  std::string_view host = written;
  std::string text;
  if (const std::size_t at = written.rfind('@'); at != std::string_view::npos) {
    text = percent_encoded(written.substr(0, at), "@") + "@";
    host.remove_prefix(at + 1);
  }
  if (is_special(scheme)) BA_TRY(check_host(host));
  text += is_special(scheme) ? std::string(host) : percent_encoded(host, {});
  // A second round where the first changed something: "%41.example" is "A.example" after one, "a.example"
  // after two.
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    BA_ASSIGN(Authority authority, parse_authority_once(scheme, text));
    if (authority.text == text) return authority;
    text = std::move(authority.text);
  }
  return because("its host has no canonical form");
}

// --- path ---

bool is_drive_letter(std::string_view segment) {
  return segment.size() == 2 && is_alpha(segment[0]) && (segment[1] == ':' || segment[1] == '|');
}

// The number of dots where the segment is "." or "..", in any spelling; else 0.
int dots_of(std::string_view segment) {
  int dots = 0;
  while (!segment.empty()) {
    const bool encoded = segment.starts_with("%2e") || segment.starts_with("%2E");
    if (!encoded && segment.front() != '.') return 0;
    segment.remove_prefix(encoded ? 3 : 1);
    ++dots;
  }
  return dots <= 2 ? dots : 0;
}

// `text` is what follows the first slash.
std::string canonical_path(std::string_view scheme, std::string_view text) {
  const std::string_view slashes = is_special(scheme) ? "/\\" : "/";
  const bool is_file = scheme == "file";
  std::vector<std::string> segments;
  for (bool last = false; !last;) {
    const std::size_t end = text.find_first_of(slashes);
    last = end == std::string_view::npos;
    const std::string_view segment = text.substr(0, end);
    text.remove_prefix(last ? text.size() : end + 1);
    const int dots = dots_of(segment);
    // ".." does not leave a drive.
    const bool stays = is_file && segments.size() == 1 && is_drive_letter(segments[0]);
    if (dots == 2 && !segments.empty() && !stays) segments.pop_back();
    if (dots > 0 && !last) continue;
    segments.push_back(dots > 0 ? std::string() : percent_encoded(segment, "\"#<>?`{}"));
    if (is_file && segments.size() == 1 && is_drive_letter(segments[0])) segments[0][1] = ':';
  }
  std::string path;
  for (const std::string& segment : segments) path.append("/").append(segment);
  return path;
}

// --- the whole ---

// What follows the scheme, cut where the authority ends.
struct Hierarchy {
  std::optional<std::string_view> authority;
  // With its first slash, or the whole of an opaque path.
  std::string_view path;
  bool is_opaque = false;
};

Hierarchy split_file(std::string_view rest) {
  constexpr std::string_view kSlashes = "/\\";
  const std::size_t slashes = std::min(rest.find_first_not_of(kSlashes), rest.size());
  Hierarchy parts{.authority = "", .path = rest};
  if (slashes < 2) return parts;
  rest.remove_prefix(2);
  const std::string_view host = rest.substr(0, rest.find_first_of(kSlashes));
  parts.path = rest;
  if (is_drive_letter(host)) return parts;
  parts.authority = host;
  parts.path = rest.substr(host.size());
  return parts;
}

Hierarchy split(std::string_view scheme, std::string_view rest) {
  if (scheme == "file") return split_file(rest);
  const bool special = is_special(scheme);
  if (!special && !rest.starts_with("//")) return {.authority = {}, .path = rest, .is_opaque = !rest.starts_with('/')};
  const std::string_view slashes = special ? "/\\" : "/";
  rest.remove_prefix(special ? std::min(rest.find_first_not_of(slashes), rest.size()) : 2);
  const std::string_view authority = rest.substr(0, rest.find_first_of(slashes));
  return {.authority = authority, .path = rest.substr(authority.size())};
}

std::string path_of(std::string_view scheme, const Hierarchy& parts) {
  std::string_view text = parts.path;
  if (parts.is_opaque) return percent_encoded(text, {});
  const bool special = is_special(scheme);
  if (text.empty() && !special) return {};
  if (text.starts_with('/') || (special && text.starts_with('\\'))) text.remove_prefix(1);
  return canonical_path(scheme, text);
}

// Everything but `given` and `key`. Errors are reasons.
Result<Url> parse(std::string_view text) {
  cut_at(text, '#');
  const std::optional<std::string> scheme = scheme_of(text);
  std::string_view rest = scheme ? text.substr(scheme->size() + 1) : text;
  if (!scheme || is_host_and_port(*scheme, rest)) {
    const std::string meant = fmt::format("https://{}", text.substr(0, 100));
    return because(fmt::format("it has no scheme; write {:?} if that is meant", meant));
  }
  Url url;
  url.scheme = *scheme;
  if (const std::optional<std::string_view> query = cut_at(rest, '?')) {
    url.has_query = true;
    url.query = percent_encoded(*query, is_special(*scheme) ? "\"<>'" : "\"<>");
  }
  const Hierarchy parts = split(*scheme, rest);
  url.path = path_of(*scheme, parts);
  url.href = *scheme + ":";
  if (parts.authority) {
    BA_ASSIGN(Authority authority, parse_authority(*scheme, *parts.authority));
    url.host = std::move(authority.host);
    url.href += "//" + authority.text;
  } else if (url.path.starts_with("//")) {
    url.href += "/.";
  }
  url.href += url.path;
  if (url.has_query) url.href += "?" + url.query;
  return url;
}

// --- keys ---

// Four numbers or brackets: as the parser writes addresses.
bool is_ip_address(std::string_view host) {
  if (host.starts_with('[')) return true;
  const bool numeric = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return numeric && std::count(host.begin(), host.end(), '.') == 3;
}

std::string reversed_host(std::string_view host) {
  if (is_ip_address(host)) return std::string(host);
  std::string out;
  while (true) {
    const std::size_t dot = host.rfind('.');
    for (char c : host.substr(dot + 1)) {
      if (c == ',' || c == ')') out.push_back('^');
      out.push_back(c);
    }
    if (dot == std::string_view::npos) return out;
    out.push_back(',');
    host = host.substr(0, dot);
  }
}

// What stands between the scheme and the path of an href.
struct WrittenAuthority {
  bool present = false;
  std::string_view credentials;
  std::string_view port;  // with its ":"
};

WrittenAuthority written_authority(const Url& url) {
  const std::size_t begin = url.scheme.size() + 1;
  const std::size_t tail = url.path.size() + (url.has_query ? url.query.size() + 1 : 0);
  assert(begin + tail <= url.href.size());
  std::string_view middle = url.href;
  middle = middle.substr(begin, url.href.size() - begin - tail);
  // "/." keeps a path that begins with "//" from being read as a host.
  if (!middle.starts_with("//")) return {};
  middle.remove_prefix(2);
  WrittenAuthority authority{.present = true, .credentials = {}, .port = {}};
  if (const std::size_t at = middle.rfind('@'); at != std::string_view::npos) {
    authority.credentials = middle.substr(0, at);
    middle.remove_prefix(at + 1);
  }
  assert(middle.starts_with(url.host));
  authority.port = middle.substr(url.host.size());
  return authority;
}

}  // namespace

Result<Url> parse_url(std::string_view given) {
  if (given.empty()) return refused(given, "it is empty");
  if (given.size() > kMaxUrlLength) return refused(given, "it is longer than 65536 bytes");
  const auto is_forbidden = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; };
  if (std::any_of(given.begin(), given.end(), is_forbidden))
    return refused(given, "it contains a space or a control character");
  Result<Url> url = parse(given);
  if (!url) return refused(given, url.error().message);
  if (url->href.size() > kMaxUrlLength) return refused(given, "its canonical form is longer than 65536 bytes");
  url->given = given;
  url->key = url_key(*url);
  return url;
}

std::string url_key(const Url& url) {
  const WrittenAuthority authority = written_authority(url);
  std::string key = host_key_prefix(url.host, false) + url.path;
  if (url.has_query) key += "?" + url.query;
  if (!authority.port.empty()) key.append(" ").append(authority.port);
  key.append(" ").append(url.scheme);
  if (authority.present && url.host.empty() && url.scheme != "file") key += "://";
  if (!authority.credentials.empty()) key.append(" ").append(authority.credentials);
  if (key.size() <= kMaxUrlKey) return key;
  const std::string end = " #" + blake3(key).hex().substr(0, 32);
  key.resize(kMaxUrlKey - end.size());
  return key + end;
}

std::string host_key_prefix(std::string_view host, bool with_subdomains) {
  return reversed_host(host) + (with_subdomains ? "," : ")");
}

}  // namespace blockarch
