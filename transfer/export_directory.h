// A directory that is made under another name and gets its own when it is complete.
#pragma once

#include <string>

#include "base/result.h"

namespace blockarch {

class ExportDirectory {
 public:
  // `path` must be missing or an empty directory, else `invalid`. Its parent must be there.
  static Result<ExportDirectory> create(const std::string& path);
  ExportDirectory(ExportDirectory&& other) noexcept;
  ExportDirectory& operator=(ExportDirectory&&) = delete;
  // Removes what is not finished.
  ~ExportDirectory();

  // Where to write.
  const std::string& path() const { return temporary_; }
  Result<void> finish();

 private:
  ExportDirectory(std::string path, std::string temporary)
      : target_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string target_;
  std::string temporary_;  // empty when there is nothing to remove
};

}  // namespace blockarch
