// URLs: parsed as browsers do (WHATWG), kept as given, indexed by a key that sorts a site together.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

inline constexpr std::size_t kMaxUrlLength = 1 << 16;
// Of the host of http, https, ws, wss, ftp and file URLs, as written. DNS ends at 253.
inline constexpr std::size_t kMaxUrlHost = 1024;

struct Url {
  std::string given;   // exactly what the caller wrote
  std::string href;    // the canonical form: WHATWG serialisation without the fragment; ASCII
  std::string scheme;  // "https"
  std::string host;    // "www.example.com", punycode for international names; empty where a URL has none
  std::string path;    // "/a/b" (for "mailto:x" and the like: "x")
  std::string query;   // without "?"; has_query tells "?" alone from none
  bool has_query = false;
  std::string key;  // identity and sort order, see url_key()
};

// Error `invalid` names the text and says what is wrong with it. Requires a scheme: "example.com" alone is
// refused with a hint to write "https://example.com", and so is "example.com:8080/a" although its beginning
// could be read as a scheme. Control bytes, NUL and spaces inside are refused (leading and trailing blanks
// too: the caller trims). At most kMaxUrlLength bytes, both as given and as href. Bytes that are not UTF-8
// are kept apart by percent-encoding each ("/\xFC" is "/%FC"). parse_url(href) gives the same href and key.
Result<Url> parse_url(std::string_view given);

// The sort-friendly key, in the manner of SURT: host labels reversed, then what follows, then what SURT
// usually drops, so that the two schemes of one page stand beside each other but stay apart:
//
//   https://www.example.com:8080/a?b=1  →  com,example,www)/a?b=1 :8080 https
//   https://user:pw@example.com/        →  com,example)/ https user:pw
//   http://127.0.0.1/                   →  127.0.0.1)/ http        an IP address is not reversed
//   mailto:x                            →  )x mailto               no host
//   foo:///x                            →  )/x foo://              an empty host, where "foo:/x" has none
//   http://a,b.example/                 →  example,a^,b)/ http     "^" marks a "," or ")" inside a label
//
// " " cannot occur inside an href and "^" not in a host, so no field can be confused with another and the key
// is unique for an href. It has at most kMaxUrlKey bytes: a longer one is cut and ends in " #" and 32 hex
// digits of the whole key's BLAKE3, which keeps it unique and near its neighbours.
inline constexpr std::size_t kMaxUrlKey = 440;
std::string url_key(const Url& url);

// The key prefix under which all URLs of a host stand ("com,example,www)"), or, with subdomains, all those of
// its subdomains without itself ("com,example,"). `host` as in Url::host.
std::string host_key_prefix(std::string_view host, bool with_subdomains);

}  // namespace blockarch
