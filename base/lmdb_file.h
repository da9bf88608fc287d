// Looks at an LMDB file with plain reads, before LMDB maps it: LMDB believes what the file says of itself, divides by
// its page size and reads past its end.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace blockarch::lmdb_detail {

struct FileFacts {
  std::uint64_t size = 0;       // of the file
  std::uint64_t page_size = 0;  // 0 for an empty file
  std::uint64_t pages = 0;      // highest page ever used + 1
};

// Corrupt unless both meta pages are sane and every page in use lies inside the file. `path` is for messages. Safe
// while another process writes.
Result<FileFacts> check_lmdb_file(int descriptor, const std::string& path);

// True for a file that ends before any data could begin and has no sane meta pages: what a creation that died leaves.
bool is_unfinished_lmdb_file(int descriptor);

}  // namespace blockarch::lmdb_detail
