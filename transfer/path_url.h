// URLs for files: what a path below a directory or in a git tree stands for.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

// The path as it stands in a URL. Bytes that URLs do not have are percent-encoded, also "?" and "#"; "/" and what is
// percent-encoded already stay.
std::string encode_path(std::string_view path);

// The same for names that wget made: "a/index.html" is "a/", a name's first "?" begins the query, and so does "@" where
// "=" comes after it (wget's names for Windows); "logo@2x.png" stays.
std::string encode_saved_path(std::string_view path);

// Where paths are put: behind a base URL, or in a URL with a place for them.
//
//   https://example.org/docs     a/b.html  →  https://example.org/docs/a/b.html
//   https://example.org/{path}   a/b.html  →  https://example.org/a/b.html
//   https://example.org/{stem}   a/b.html  →  https://example.org/a/b         without the ending
class PathUrl {
 public:
  // invalid where it makes no URL.
  static Result<PathUrl> parse(std::string_view text);

  // `path` is encoded already.
  std::string url(std::string_view path) const;

 private:
  std::string before_;
  std::string after_;
  bool stem_ = false;
};

// "example.org", "example.org:8080", "192.168.0.1", "localhost"; also "example.org+8080", as wget writes it for Windows. Names of
// files look like hosts too ("page.html"), so ask only of directories.
bool looks_like_host(std::string_view name);
// With ":" for the "+" of a port.
std::string host_of_name(std::string_view name);

}  // namespace blockarch
