// The file format of LMDB 0.9, as far as a checker needs it: 64-bit, little-endian, data format version 1.
//
// The file is an array of pages. Pages 0 and 1 are meta pages; a transaction with number N writes page N % 2, so they
// hold the last two states of the file. Every other page is a branch or leaf of a B-tree, the first page of an overflow
// run (a value too long for a leaf), or free. A meta page names two trees: the free list (transaction number → pages
// that it freed) and the directory (table name → tree). Pages carry a 16-byte header:
//
//   page number 8 | pad 2 | flags 2 | lower 2 | upper 2        (overflow: the run's length in place of lower and upper)
//
// Branches and leaves have an array of 2-byte node offsets up to `lower`, and the nodes from `upper` to the page's end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace blockarch::lmdb_format {

inline constexpr std::uint64_t kMetaPages = 2;
inline constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
inline constexpr std::uint64_t kMaxPageNumber = std::uint64_t{1} << 48;
inline constexpr std::size_t kPageHeader = 16;
inline constexpr std::size_t kNodeHeader = 8;
inline constexpr std::size_t kMaxKeySize = 511;
inline constexpr std::uint32_t kMaxDepth = 32;
inline constexpr std::uint32_t kMinPageSize = 512;
inline constexpr std::uint32_t kMaxPageSize = 1 << 16;

inline constexpr std::uint16_t kBranchPage = 0x01;
inline constexpr std::uint16_t kLeafPage = 0x02;
inline constexpr std::uint16_t kOverflowPage = 0x04;
inline constexpr std::uint16_t kMetaPage = 0x08;

inline constexpr std::uint16_t kBigValue = 0x01;  // the node holds the number of an overflow page instead of a value
inline constexpr std::uint16_t kTableNode = 0x02;

std::uint16_t load16(ByteView bytes, std::size_t at);
std::uint32_t load32(ByteView bytes, std::size_t at);
std::uint64_t load64(ByteView bytes, std::size_t at);

struct PageHeader {
  std::uint64_t number = 0;
  std::uint16_t pad = 0;
  std::uint16_t flags = 0;
  std::uint16_t lower = 0;
  std::uint16_t upper = 0;
  std::uint32_t run_length = 0;  // of an overflow run; the same bytes as lower and upper
};
PageHeader load_page_header(ByteView page);

// A B-tree: where it is and what it says of itself.
struct Tree {
  std::uint32_t pad = 0;
  std::uint16_t flags = 0;
  std::uint16_t depth = 0;
  std::uint64_t branch_pages = 0;
  std::uint64_t leaf_pages = 0;
  std::uint64_t overflow_pages = 0;
  std::uint64_t entries = 0;
  std::uint64_t root = kNoPage;
};
inline constexpr std::size_t kTreeSize = 48;
Tree load_tree(ByteView bytes, std::size_t at);

// Where the fields of a meta page stand.
namespace meta_at {
inline constexpr std::size_t kMagic = 16;
inline constexpr std::size_t kVersion = 20;
inline constexpr std::size_t kAddress = 24;
inline constexpr std::size_t kMapSize = 32;
inline constexpr std::size_t kFreeList = 40;
inline constexpr std::size_t kDirectory = 88;
inline constexpr std::size_t kLastPage = 136;
inline constexpr std::size_t kTransaction = 144;
inline constexpr std::size_t kEnd = 152;
}  // namespace meta_at

struct Meta {
  PageHeader header;
  std::uint32_t magic = 0;
  std::uint32_t version = 0;
  std::uint64_t address = 0;
  Tree free_list;  // its pad is the page size, its flags are the file's
  Tree directory;
  std::uint64_t last_page = 0;
  std::uint64_t transaction = 0;

  std::uint32_t page_size() const { return free_list.pad; }
};
// `page` has at least meta_at::kEnd bytes.
Meta load_meta(ByteView page);
// What is wrong with the meta page at place `number`, looked at by itself; nullptr where nothing is.
const char* flaw_of(const Meta& meta, std::uint64_t number);

// How many pages an overflow run must have for a value.
inline std::uint64_t overflow_pages(std::uint64_t value_size, std::uint64_t page_size) {
  return (kPageHeader - 1 + value_size) / page_size + 1;
}

// A node of a branch or leaf page.
struct Node {
  std::size_t begin = 0;
  std::size_t end = 0;      // without the byte that makes it even
  std::uint16_t flags = 0;  // leaf
  ByteView key;
  std::uint64_t value_size = 0;   // leaf
  std::size_t value_at = 0;       // leaf: where the value, or the number of its overflow page, begins
  std::uint64_t child = kNoPage;  // branch
};
// Nothing where the node does not lie inside the page.
std::optional<Node> load_node(ByteView page, std::size_t at, bool is_leaf);

}  // namespace blockarch::lmdb_format
