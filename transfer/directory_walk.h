// The files below a directory, in order, opened so that nothing outside can be reached.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace blockarch {

// Names of one directory, sorted; some 30 bytes each, so that a directory of millions can be held.
class NameList {
 public:
  void add(std::string_view name);
  void sort();

  std::size_t size() const { return begins_.size(); }
  std::string_view operator[](std::size_t i) const;
  bool contains(std::string_view name) const;

 private:
  std::string bytes_;  // each with a zero byte behind it
  std::vector<std::size_t> begins_;
};

// Error codes are those of errno, 0 for success.
class DirectoryTree {
 public:
  explicit DirectoryTree(Descriptor root) : root_(std::move(root)) {}

  // "" is the root. Does not follow links, also not in the middle of the path.
  int list(const std::string& path, NameList& names) const;
  // Of the file itself where it is a link.
  int stat(const std::string& path, struct stat& status) const;
  // The first `limit` bytes of a regular file; EINVAL for anything else, which is never waited for.
  int read(const std::string& path, std::uint64_t limit, Bytes& bytes) const;

 private:
  Descriptor open(const std::string& path, int flags) const;

  Descriptor root_;
};

}  // namespace blockarch
