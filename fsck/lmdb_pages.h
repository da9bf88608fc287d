// Looks through an LMDB file page by page, believing nothing that it says of itself. liblmdb maps the file and follows
// every number in it, so a damaged page can crash it; a file that passes here is safe to open.
//
// Memory: one byte for each page of the file, and the pages on the way from a root to a leaf.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace blockarch {

struct PageProblem {
  std::uint64_t page = 0;
  std::string message;
};

// How a byte of the file is used. Bytes in no range are not read by anybody: free pages, the free space inside pages,
// the last byte of an odd node, the end of an overflow run, most of the older meta page.
enum class ByteUse {
  exact,    // another value is found by this check, or is a key or value of a table and found by whoever reads that
  bounded,  // another value is found or does the same: separators in branches and keys of the free list as long as they
            // keep the order, the older meta page's numbers of pages as long as they are possible
};
struct UsedBytes {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  ByteUse use = ByteUse::exact;
};

struct PageReport {
  std::vector<PageProblem> problems;  // at most kMaxPageProblems
  std::vector<std::string> tables;    // names, sorted
  std::uint64_t page_size = 0;
  std::uint64_t pages = 0;  // in use or free
  std::uint64_t free_pages = 0;
  std::uint64_t leaked_pages = 0;  // neither in use nor free; only counted where there are no problems
  std::uint64_t transaction = 0;   // the state that was looked at
};
inline constexpr std::size_t kMaxPageProblems = 1000;

struct PageCheckOptions {
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  std::vector<UsedBytes>* used_bytes = nullptr;  // filled where it is given, in no order
};

// An error only where the file cannot be opened. A state stays as it is on disk while one more transaction is written
// beside it; `problems` of a file that has moved on further (see newest_transaction) mean nothing.
Result<PageReport> check_lmdb_pages(const std::string& path, const PageCheckOptions& options = {});

// The number of the last transaction; 0 where the meta pages are damaged.
Result<std::uint64_t> newest_transaction(const std::string& path);

}  // namespace blockarch
