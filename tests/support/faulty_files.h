// A file system whose Nth call fails, to run an operation for N = 1, 2, 3… until it succeeds.
#pragma once

#include <cerrno>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"

namespace blockarch {

enum class Fault { once, from_then_on };

class FaultyFiles final : public FileSystem {
 public:
  explicit FaultyFiles(FileSystem& files = posix_files()) : files_(files) {}

  // Counts from here on: call number `call` (from 1) fails with errno `number`. A write that fails leaves the first
  // half of its bytes; everything else that fails has no effect.
  void fail_at(unsigned call, Fault fault, int number = EIO);
  void never_fail() { fail_at(0, Fault::once); }
  // Calls since then.
  unsigned calls() const;

  Result<Bytes> read_file(const std::string& path, std::uint64_t limit) override;
  Result<void> write_file(const std::string& path, ByteView bytes) override;
  Result<std::unique_ptr<ReadableFile>> open_input(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> open_output(const std::string& path) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  Result<void> make_directory(const std::string& path) override;
  Result<void> sync_directory(const std::string& path) override;
  Result<std::vector<std::string>> list_directory(const std::string& path) override;
  Result<std::optional<Info>> info(const std::string& path) override;

 private:
  class Input;
  class Output;
  // Counts a call; its error where it is to fail.
  Result<void> count(const char* what, const std::string& path);

  FileSystem& files_;
  mutable std::mutex mutex_;
  unsigned calls_ = 0;
  unsigned fail_at_ = 0;
  Fault fault_ = Fault::once;
  int number_ = EIO;
};

}  // namespace blockarch
