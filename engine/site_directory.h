// A new directory that is filled with files whose names came from the web. Beside FileSystem, not through it:
// what is written here is a copy that needs no sync, and must not follow symbolic links.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace blockarch {

class SiteFile {
 public:
  Result<void> append(ByteView bytes);
  // What was written is complete only when this says so.
  Result<void> close();

 private:
  friend class SiteDirectory;
  SiteFile(Descriptor descriptor, std::string path) : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::string path_;  // for messages
};

class SiteDirectory {
 public:
  // Made with its parents if missing; invalid where it is no directory or holds anything.
  static Result<SiteDirectory> create(const std::string& path);

  const std::string& path() const { return path_; }

  // Makes a new file and the directories above it. `name` is relative, its segments separated by "/". invalid
  // where the name is not safe; io where the file is there already or a symbolic link stands in the way.
  Result<SiteFile> create_file(std::string_view name);
  Result<void> write_file(std::string_view name, ByteView bytes);

 private:
  SiteDirectory(Descriptor root, std::string path) : root_(std::move(root)), path_(std::move(path)) {}

  Descriptor root_;
  std::string path_;
};

}  // namespace blockarch
