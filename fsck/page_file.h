// A file read in pages with plain reads: no memory map, so that a file which shrinks or cannot be read is an error and
// not a fault.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

class PageFile {
 public:
  static Result<PageFile> open(const std::string& path);

  PageFile(PageFile&& other) noexcept;
  PageFile& operator=(PageFile&& other) noexcept;
  ~PageFile();

  std::uint64_t size() const { return size_; }  // when it was opened
  // Exactly `count` bytes; corrupt where the file ends before.
  Result<Bytes> read(std::uint64_t offset, std::uint64_t count) const;

 private:
  PageFile(int descriptor, std::uint64_t size, std::string path)
      : descriptor_(descriptor), size_(size), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string path_;
};

}  // namespace blockarch
