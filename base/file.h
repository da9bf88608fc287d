// The few file operations that blockarch's own files need, behind an interface that tests can make fail. LMDB does its
// own I/O (base/lmdb.h); everything else on disk goes through here.
//
// Errors name the path. ENOSPC and EDQUOT give no_space, EACCES, EPERM and EROFS permission, ENOENT not_found,
// everything else io.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

// A file that is read at any place, by any number of threads. Stays readable when its name is removed.
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  virtual std::uint64_t size() const = 0;  // when it was opened
  // Exactly `count` bytes; corrupt where the file ends before.
  virtual Result<Bytes> read_at(std::uint64_t offset, std::uint64_t count) const = 0;
  // Whether the name it was opened by still is this file's, and no other's; one call of the system. False where that
  // cannot be told.
  virtual bool has_its_name() const { return false; }
};

// A file that is written from its beginning to its end.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Result<void> append(ByteView bytes) = 0;
  // Makes what was appended durable; the directory entry is not before sync_directory.
  virtual Result<void> sync() = 0;
};

// Reading and writing files and directory entries. Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Reads at most `limit` bytes; a longer file is too_large. Works for pipes too.
  virtual Result<Bytes> read_file(const std::string& path, std::uint64_t limit) = 0;
  // Creates or truncates, writes, and syncs the bytes; the directory entry is not durable before sync_directory.
  virtual Result<void> write_file(const std::string& path, ByteView bytes) = 0;
  virtual Result<std::unique_ptr<ReadableFile>> open_input(const std::string& path) = 0;
  // Creates or truncates.
  virtual Result<std::unique_ptr<WritableFile>> open_output(const std::string& path) = 0;
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> remove(const std::string& path) = 0;
  // One level; fine if it is there already.
  virtual Result<void> make_directory(const std::string& path) = 0;
  virtual Result<void> sync_directory(const std::string& path) = 0;
  // Names without "." and "..", sorted.
  virtual Result<std::vector<std::string>> list_directory(const std::string& path) = 0;
  // Nothing where the path does not exist.
  struct Info {
    bool is_directory = false;
    std::uint64_t size = 0;
  };
  virtual Result<std::optional<Info>> info(const std::string& path) = 0;
};

// The operating system's.
FileSystem& posix_files();

// Writes `path` so that a crash leaves the old or the new content, never a mix, and so that it is durable on return:
// `temporary` (same file system) is written and synced, renamed over `path`, and the directory of `path` synced.
Result<void> replace_file(FileSystem& files, const std::string& path, const std::string& temporary, ByteView bytes);

// An exclusive lock on a file, held until destroyed or until the process dies: no lock can be stale.
class FileLock {
 public:
  // Creates the file if needed. Waits at most `wait`; then error `locked`, which names the holder's process id where
  // the file says it. The holder's id is written into the file for that message only.
  static Result<FileLock> acquire(const std::string& path, std::chrono::milliseconds wait);

  // Whether somebody waits for it now, as far as the system tells.
  bool is_wanted() const;

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

// An error for `errno` value `number` in the mapping above: "cannot WHAT PATH: REASON".
Error system_error(int number, const std::string& what, const std::string& path);

}  // namespace blockarch
