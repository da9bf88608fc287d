// Lines that come in any order and leave sorted. What does not fit in memory waits in nameless files.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

class SortedLines {
 public:
  explicit SortedLines(std::size_t memory = std::size_t{64} << 20) : memory_(memory) {}

  // With its line break at the end, and no other.
  Result<void> add(std::string line);
  // All lines in byte order, equal ones too, each whole. Called once.
  Result<void> finish(const std::function<Result<void>(ByteView)>& each);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  Result<void> spill();

  std::size_t memory_;
  std::size_t used_ = 0;
  std::vector<std::string> lines_;
  std::vector<File> runs_;
};

}  // namespace blockarch
