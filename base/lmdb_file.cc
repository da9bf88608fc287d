// The layout read here is LMDB's data format version 1 in the byte order and word size of the machine, as LMDB itself
// reads it. Pages 0 and 1 are meta pages; the one with the higher transaction number counts. Each names the roots of
// two trees: the free list (transaction number → page numbers) and the directory of tables.
#include "base/lmdb_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"

namespace blockarch::lmdb_detail {
namespace {

struct PageHeader {
  std::size_t number;
  std::uint16_t pad;
  std::uint16_t flags;
  std::uint16_t lower;  // end of the array of node offsets
  std::uint16_t upper;
};
constexpr std::uint16_t kBranch = 0x01;
constexpr std::uint16_t kLeaf = 0x02;
constexpr std::uint16_t kOverflow = 0x04;
constexpr std::uint16_t kMeta = 0x08;

struct Tree {
  std::uint32_t page_size;  // in the first tree of a meta page
  std::uint16_t flags;
  std::uint16_t depth;
  std::size_t branch_pages;
  std::size_t leaf_pages;
  std::size_t overflow_pages;
  std::size_t entries;
  std::size_t root;
};

struct MetaPage {
  PageHeader header;
  std::uint32_t magic;
  std::uint32_t version;
  std::size_t address;
  std::size_t map_size;
  Tree free_list;
  Tree directory;
  std::size_t last_page;
  std::size_t transaction;
};
constexpr std::uint32_t kMagic = 0xBEEFC0DE;
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kNoPage = ~std::size_t{0};
constexpr std::size_t kMaxPageNumber = std::size_t{1} << (sizeof(std::size_t) * 8 - 16);

struct NodeHeader {
  std::uint16_t low;
  std::uint16_t high;
  std::uint16_t flags;
  std::uint16_t key_size;
};
constexpr std::uint16_t kBigData = 0x01;  // the value is the number of an overflow page

template <typename T>
T load(ByteView bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Plain reads, which remember whether the system refused one: that is no damage.
class FileReader {
 public:
  explicit FileReader(int descriptor) : descriptor_(descriptor) {}

  // False at the end of the file and where the system refuses.
  bool read(void* out, std::size_t count, std::uint64_t offset) {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t n =
          ::pread(descriptor_, static_cast<char*>(out) + done, count - done, static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refused_ = errno;
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

  Result<std::uint64_t> size(const std::string& path) const {
    struct stat status;
    if (::fstat(descriptor_, &status) != 0) return system_error(errno, "read", path);
    return static_cast<std::uint64_t>(status.st_size);
  }

  // 0 or an errno value.
  int refused() const { return refused_; }

 private:
  int descriptor_;
  int refused_ = 0;
};

bool is_sane_root(const Tree& tree, std::size_t last_page) {
  return tree.root == kNoPage || (tree.root >= 2 && tree.root <= last_page);
}

bool is_sane(const MetaPage& meta) {
  const std::uint32_t page_size = meta.free_list.page_size;
  return (meta.header.flags & kMeta) != 0 && meta.magic == kMagic && meta.version == kVersion &&
         std::has_single_bit(page_size) && page_size >= 256 && page_size <= (1u << 16) && meta.last_page >= 1 &&
         meta.last_page < kMaxPageNumber;
}

// The meta page that counts; nothing where one of the two is not sane.
std::optional<MetaPage> read_meta(FileReader& file) {
  MetaPage first;
  MetaPage second;
  if (!file.read(&first, sizeof first, 0) || !is_sane(first)) return std::nullopt;
  const std::uint32_t page_size = first.free_list.page_size;
  if (!file.read(&second, sizeof second, page_size) || !is_sane(second) || second.free_list.page_size != page_size) {
    return std::nullopt;
  }
  const MetaPage& newer = second.transaction > first.transaction ? second : first;
  // The roots of the other one may lie anywhere: LMDB leaves it so after a commit that failed.
  if (!is_sane_root(newer.free_list, newer.last_page) || !is_sane_root(newer.directory, newer.last_page)) {
    return std::nullopt;
  }
  return newer;
}

// Collects the free pages at or beyond `from`. Bounded by the size of the file: pages visited are counted.
class FreeListReader {
 public:
  FreeListReader(FileReader& file, std::size_t page_size, std::uint64_t file_size, std::size_t from)
      : file_(file), page_size_(page_size), file_pages_(file_size / page_size), from_(from) {}

  // False where the free list itself is damaged or lies beyond the end of the file.
  bool walk(std::size_t root) { return root == kNoPage || visit(root, 0); }

  std::size_t count() {
    std::sort(found_.begin(), found_.end());
    return static_cast<std::size_t>(std::unique(found_.begin(), found_.end()) - found_.begin());
  }

 private:
  static constexpr int kMaxDepth = 32;

  std::optional<Bytes> read_pages(std::size_t number, std::size_t count) {
    if (number >= file_pages_ || count > file_pages_ - number) return std::nullopt;
    visited_ += count;
    if (visited_ > file_pages_) return std::nullopt;
    Bytes bytes(count * page_size_, '\0');
    if (!file_.read(bytes.data(), bytes.size(), std::uint64_t{number} * page_size_)) return std::nullopt;
    if (load<PageHeader>(bytes, 0).number != number) return std::nullopt;
    return bytes;
  }

  bool visit(std::size_t number, int depth) {
    if (depth > kMaxDepth) return false;
    const auto page = read_pages(number, 1);
    if (!page) return false;
    const auto header = load<PageHeader>(*page, 0);
    const bool leaf = (header.flags & kLeaf) != 0;
    if (!leaf && (header.flags & kBranch) == 0) return false;
    if (header.lower < sizeof header || header.lower > page_size_) return false;
    for (std::size_t at = sizeof header; at + 2 <= header.lower; at += 2) {
      const std::size_t node_at = load<std::uint16_t>(*page, at);
      if (node_at + sizeof(NodeHeader) > page_size_) return false;
      const auto node = load<NodeHeader>(*page, node_at);
      const std::size_t low32 = std::size_t{node.low} | std::size_t{node.high} << 16;
      if (leaf) {
        if (!take_entry(*page, node_at + sizeof node + node.key_size, low32, node.flags)) return false;
      } else if (!visit(low32 | (std::size_t{node.flags} << 16 << 16), depth + 1)) {
        return false;
      }
    }
    return true;
  }

  bool take_entry(ByteView page, std::size_t at, std::size_t size, std::uint16_t flags) {
    if ((flags & kBigData) == 0) return at <= page.size() && size <= page.size() - at && take(page.substr(at, size));
    if (at + sizeof(std::size_t) > page.size()) return false;
    const std::size_t count = (sizeof(PageHeader) + size + page_size_ - 1) / page_size_;
    const auto pages = read_pages(load<std::size_t>(page, at), count);
    if (!pages || (load<PageHeader>(*pages, 0).flags & kOverflow) == 0) return false;
    return take(ByteView(*pages).substr(sizeof(PageHeader), size));
  }

  // An array of page numbers after its length.
  bool take(ByteView value) {
    constexpr std::size_t kWord = sizeof(std::size_t);
    if (value.size() < kWord) return false;
    const auto length = load<std::size_t>(value, 0);
    if (length > value.size() / kWord - 1) return false;
    for (std::size_t i = 1; i <= length; ++i) {
      const auto number = load<std::size_t>(value, i * kWord);
      if (number >= from_) found_.push_back(number);
    }
    return true;
  }

  FileReader& file_;
  std::size_t page_size_;
  std::size_t file_pages_;
  std::size_t from_;
  std::size_t visited_ = 0;
  std::vector<std::size_t> found_;
};

// LMDB gives out pages at the end of the file and takes them back within one transaction without ever writing them, so
// a sound file may be shorter than its page count says, as long as every page that is missing is in the free list.
bool has_all_pages(FileReader& file, const MetaPage& meta, std::uint64_t size) {
  const std::size_t page_size = meta.free_list.page_size;
  const std::size_t present = size / page_size;
  if (meta.last_page < present) return true;
  FreeListReader reader(file, page_size, size, present);
  return reader.walk(meta.free_list.root) && reader.count() == meta.last_page + 1 - present;
}

}  // namespace

Result<FileFacts> check_lmdb_file(int descriptor, const std::string& path) {
  constexpr int kTries = 8;
  FileReader file(descriptor);
  for (int i = 1;; ++i) {
    const auto meta = read_meta(file);
    BA_ASSIGN(const std::uint64_t size, file.size(path));
    if (size == 0) return FileFacts{};
    if (meta && has_all_pages(file, *meta, size)) {
      return FileFacts{.size = size, .page_size = meta->free_list.page_size, .pages = meta->last_page + 1};
    }
    // Another process may have written between two of our reads.
    const auto again = read_meta(file);
    if (file.refused() != 0) return system_error(file.refused(), "read", path);
    const bool moved = meta.has_value() != again.has_value() || (meta && meta->transaction != again->transaction);
    if (moved && i < kTries) continue;
    if (!meta) return Error{ErrorCode::corrupt, fmt::format("{} does not begin as an LMDB file does", path)};
    return Error{ErrorCode::corrupt, fmt::format("{} is truncated: {} bytes instead of {}", path, size,
                                                 (std::uint64_t{meta->last_page} + 1) * meta->free_list.page_size)};
  }
}

bool is_unfinished_lmdb_file(int descriptor) {
  FileReader file(descriptor);
  struct stat status;
  if (::fstat(descriptor, &status) != 0) return false;
  return status.st_size > 0 && status.st_size <= 2 * ::sysconf(_SC_PAGESIZE) && !read_meta(file) && file.refused() == 0;
}

}  // namespace blockarch::lmdb_detail
