// A packed archive of a few kilobytes that says of each capture what its page must be, for tests that damage every byte.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "fsck/fsck.h"
#include "tests/support/temporary_directory.h"

namespace blockarch {

class SmallPackArchive {
 public:
  // Two packs, the second of which refers to the first; tables that were written anew; a loose capture beside them.
  SmallPackArchive();

  const std::string& path() const { return path_; }
  // Within the archive: both packs, `current`, `format`.
  const std::vector<std::string>& files() const { return files_; }
  std::string hot() const;

  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& bytes) const;

  Result<FsckReport> check(bool full = true) const;
  // Reads every capture's page and metadata through the engine. What comes must be right; counts what does not come.
  std::size_t count_unread() const;

 private:
  struct Expected {
    std::string url;
    Time time;
    std::string page;
    std::string status;
  };
  void add(class TestArchive& archive, const std::string& url, int time, const std::string& page,
           const std::string& type);

  TemporaryDirectory directory_;
  std::string path_;
  std::vector<std::string> files_;
  std::vector<Expected> expected_;
};

}  // namespace blockarch
