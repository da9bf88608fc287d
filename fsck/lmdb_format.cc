#include "fsck/lmdb_format.h"

#include <bit>

namespace blockarch::lmdb_format {
namespace {

constexpr std::uint32_t kMagic = 0xBEEFC0DE;
constexpr std::uint32_t kDataVersion = 1;
// The free list's keys are numbers in the machine's byte order; the file was opened as a file, not as a directory.
constexpr std::uint16_t kIntegerKeys = 0x08;
constexpr std::uint16_t kSingleFile = 0x4000;

bool has_sane_root(const Tree& tree, std::uint64_t last_page) {
  return tree.root == kNoPage || (tree.root >= kMetaPages && tree.root <= last_page);
}

template <typename T>
T load(ByteView bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    value = static_cast<T>(value << 8 | static_cast<unsigned char>(bytes[at + i]));
  }
  return value;
}

}  // namespace

std::uint16_t load16(ByteView bytes, std::size_t at) {
  return load<std::uint16_t>(bytes, at);
}

std::uint32_t load32(ByteView bytes, std::size_t at) {
  return load<std::uint32_t>(bytes, at);
}

std::uint64_t load64(ByteView bytes, std::size_t at) {
  return load<std::uint64_t>(bytes, at);
}

PageHeader load_page_header(ByteView page) {
  return {.number = load64(page, 0),
          .pad = load16(page, 8),
          .flags = load16(page, 10),
          .lower = load16(page, 12),
          .upper = load16(page, 14),
          .run_length = load32(page, 12)};
}

Tree load_tree(ByteView bytes, std::size_t at) {
  return {.pad = load32(bytes, at),
          .flags = load16(bytes, at + 4),
          .depth = load16(bytes, at + 6),
          .branch_pages = load64(bytes, at + 8),
          .leaf_pages = load64(bytes, at + 16),
          .overflow_pages = load64(bytes, at + 24),
          .entries = load64(bytes, at + 32),
          .root = load64(bytes, at + 40)};
}

Meta load_meta(ByteView page) {
  return {.header = load_page_header(page),
          .magic = load32(page, meta_at::kMagic),
          .version = load32(page, meta_at::kVersion),
          .address = load64(page, meta_at::kAddress),
          .free_list = load_tree(page, meta_at::kFreeList),
          .directory = load_tree(page, meta_at::kDirectory),
          .last_page = load64(page, meta_at::kLastPage),
          .transaction = load64(page, meta_at::kTransaction)};
}

const char* flaw_of(const Meta& meta, std::uint64_t number) {
  const PageHeader& header = meta.header;
  if (meta.magic != kMagic) return "it does not begin as an LMDB file does";
  if (meta.version != kDataVersion) return "it has another version of LMDB's format";
  if (header.number != number || header.flags != kMetaPage || header.pad != 0 || header.run_length != 0) {
    return "its header is wrong";
  }
  const std::uint32_t size = meta.page_size();
  if (!std::has_single_bit(size) || size < kMinPageSize || size > kMaxPageSize) return "its page size is wrong";
  if (meta.address != 0 || meta.free_list.flags != (kIntegerKeys | kSingleFile)) return "its flags are wrong";
  if (meta.last_page < kMetaPages - 1 || meta.last_page >= kMaxPageNumber) return "its count of pages is wrong";
  if (!has_sane_root(meta.free_list, meta.last_page) || !has_sane_root(meta.directory, meta.last_page)) {
    return "a root page is out of range";
  }
  if (meta.transaction != 0 && meta.transaction % kMetaPages != number) return "it belongs to another transaction";
  return nullptr;
}

std::optional<Node> load_node(ByteView page, std::size_t at, bool is_leaf) {
  if (at < kPageHeader || at % 2 != 0 || at > page.size() || page.size() - at < kNodeHeader) return std::nullopt;
  const std::uint64_t low = load32(page, at);
  const std::uint16_t flags = load16(page, at + 4);
  const std::uint16_t key_size = load16(page, at + 6);
  Node node;
  node.begin = at;
  std::uint64_t room = page.size() - at - kNodeHeader;
  if (key_size > room || key_size > kMaxKeySize) return std::nullopt;
  room -= key_size;
  node.key = page.substr(at + kNodeHeader, key_size);
  node.value_at = at + kNodeHeader + key_size;
  node.end = node.value_at;
  if (!is_leaf) {
    node.child = low | std::uint64_t{flags} << 32;
    return node;
  }
  node.flags = flags;
  node.value_size = low;
  const std::uint64_t here = flags & kBigValue ? sizeof(std::uint64_t) : low;
  if (here > room) return std::nullopt;
  node.end += here;
  return node;
}

}  // namespace blockarch::lmdb_format
