// Which file holds an archive's tables. An archive begins with hot.mdb; LMDB's files never shrink, so packing
// writes the tables anew into hot-2.mdb, hot-3.mdb and so on, and `current` then says which one counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace blockarch {

inline constexpr char kCurrentFile[] = "current";
inline constexpr std::uint64_t kMaxCurrentFile = 4096;

// Generation 1 is hot.mdb.
std::string hot_file_name(std::uint32_t generation);
// 0 where the name is none of a hot file's.
std::uint32_t generation_of(const std::string& name);

// The generation that counts: 1 where there is no `current`. Corrupt where that file is not as it should be.
Result<std::uint32_t> read_current(FileSystem& files, const std::string& directory);

// The same, asked again and again: `current` is read only when another file has taken its place. Not thread-safe.
class CurrentHot {
 public:
  Result<std::uint32_t> generation(FileSystem& files, const std::string& directory);

 private:
  std::unique_ptr<ReadableFile> file_;  // nothing before the first call, and where there is no `current`
  std::uint32_t generation_ = 0;
};

// Makes another one count, durably. `temporary` is a file name in the same file system.
Result<void> write_current(FileSystem& files, const std::string& directory, const std::string& temporary,
                           std::uint32_t generation);

}  // namespace blockarch
