// Archives to damage: one is made once, each test works on a copy of its files.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/lmdb.h"
#include "base/time.h"
#include "fsck/fsck.h"
#include "refs/tables.h"
#include "tests/support/temporary_directory.h"

namespace blockarch {

// What the archive holds.
inline constexpr char kCopyUrl[] = "https://example.com/page";
inline constexpr char kOtherUrl[] = "https://example.com/other?a=1";
inline constexpr char kCopyTag[] = "before";
Time copy_time(int capture);

class ArchiveCopy {
 public:
  explicit ArchiveCopy(bool packed = false);

  const std::string& path() const { return path_; }
  std::string hot() const { return path_ + "/" + kHotFile; }

  // The same captures in two packs, the second of which refers to the first, and one more capture beside them.
  void become_packed() const;
  // Names of the pack files within the archive, in order of their making.
  std::vector<std::string> packs() const;

  // Changes hot.mdb through LMDB. The file is closed before and after.
  void change(const std::function<void(WriteTransaction&, const Tables&)>& change) const;
  // Reads or writes bytes of a file of the archive as they lie on disk.
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& bytes) const;

  FsckReport check(bool full = true) const;

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

// The findings' ids.
std::set<std::string> ids_of(const FsckReport& report);
// All findings, one a line, for messages.
std::string text_of(const FsckReport& report);

// Everything that can be read from hot.mdb through LMDB, as one hash: objects by their content, the rest as it is.
std::string content_digest(const std::string& hot_file);

}  // namespace blockarch
