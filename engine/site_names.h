// File names for the pages of a site: each URL gets a path of its own below a directory, safe on every file
// system.
//
//   https://example.com/                → example.com/index.html
//   https://example.com/a/b             → example.com/a/b.html                  (a page of HTML)
//   https://example.com:8080/a.php?x=1  → example.com_8080/a.php@x=1~0f1e2d3c.html
//   https://example.com/style.css?v=2   → example.com/style@v=2~4b5a6978.css
//
// What holds for every path:
//   1. segments are ASCII letters, digits, blanks and a few signs; anything else, also "%", is
//   percent-encoded. None is
//      empty, begins with "." or "-" or ends with "." or a blank (so ".." and hidden files cannot occur), or
//      is a name that Windows keeps for devices;
//   2. a segment has at most 120 bytes, a path at most 900. What is longer is cut and marked;
//   3. no two are the same but for upper and lower case, and none is also a directory of another;
//   4. the last segment ends in what browsers take for the media type: .html for every page of HTML.
// The mark is "~" and 8 hexadecimal digits of the BLAKE3 of the URL (more where 8 are taken). It is set where
// a name was cut, where there is a query, and on all but one of the URLs that would get the same name.
//
// Names depend on the set of URLs and their types, not on the order in which they were added: of URLs that
// would get the same name, https goes before http, then the first in byte order keeps it unmarked; a file
// gives way to a directory. So adding a URL can mark another's name only where the two meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/url.h"

namespace blockarch {

inline constexpr std::size_t kMaxNameSegment = 120;
inline constexpr std::size_t kMaxNamePath = 900;
// At the top of the directory, for a table of contents: no URL gets it.
inline constexpr std::string_view kSiteIndex = "index.html";

class SiteNames {
 public:
  // `media_type` is an essence ("text/html"). A URL that is there already is left as it is.
  void add(const Url& url, std::string_view media_type);

  // Gives every URL its path. Called once, after the last add().
  void assign();

  // The path of a URL, given as Url::href; empty where it was not added. Valid after assign(), as long as
  // this is.
  std::string_view path_of(std::string_view href) const;

  std::size_t size() const { return entries_.size(); }

 private:
  struct Parts {
    std::string directory;  // "example.com/a"
    std::string stem;       // "style@v=2"
    std::string extension;  // ".css"
  };
  struct Entry {
    Parts parts;          // until assign()
    bool marked = false;  // always carries the mark
    bool secure = false;  // https
    std::string path;     // since assign()
  };

  static std::string path_with_mark(const Entry& entry, std::string_view href, std::size_t digits);

  std::unordered_map<std::string, Entry> entries_;  // by href
};

}  // namespace blockarch
