#include "fsck/lmdb_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fsck/lmdb_tree.h"

namespace blockarch {

using namespace lmdb_format;

namespace {

// Pages that were given out and taken back in one transaction are never written, so a sound file may end before its
// last page; not by more than this.
constexpr std::uint64_t kMaxUnwrittenPages = 1 << 24;

struct MetaPair {
  Meta newest;
  Meta older;
  std::uint64_t newest_place = 0;  // 0 or 1
};

// Nothing, and a problem in the report, where one of the two is damaged.
std::optional<MetaPair> load_metas(const PageFile& file, PageReport& report) {
  Meta metas[kMetaPages];
  for (std::uint64_t i = 0; i < kMetaPages; ++i) {
    const auto bytes = file.read(i * metas[0].page_size(), meta_at::kEnd);
    const char* flaw = nullptr;
    if (bytes) {
      metas[i] = load_meta(*bytes);
      flaw = flaw_of(metas[i], i);
      if (!flaw && metas[i].page_size() != metas[0].page_size()) flaw = "its page size is not that of the other one";
    }
    if (!bytes || flaw) {
      report.problems.push_back({i, fmt::format("meta page: {}", flaw ? flaw : bytes.error().message)});
      return std::nullopt;
    }
  }
  const std::uint64_t place = metas[1].transaction > metas[0].transaction ? 1 : 0;
  return MetaPair{metas[place], metas[1 - place], place};
}

class FileCheck {
 public:
  FileCheck(const MetaPair& metas, PageWalk& walk) : metas_(metas), meta_(metas.newest), walk_(walk) {}

  void run() {
    check_metas();
    check_directory();
    check_free_list();
    if (!walk_.report.problems.empty()) return;
    const std::uint64_t in_file = walk_.file.size() / walk_.report.page_size;
    for (std::uint64_t page = in_file; page < walk_.ledger.pages(); ++page) {
      if (walk_.ledger.is_claimed(page)) continue;
      return walk_.problem(page, "the file ends before this page");
    }
    walk_.report.leaked_pages = walk_.ledger.pages() - kMetaPages - walk_.ledger.claimed();
  }

 private:
  void check_metas() {
    const std::uint64_t newest_at = metas_.newest_place * walk_.report.page_size;
    walk_.use(newest_at, meta_at::kMapSize);  // the size of the map is whoever opens the file's to say
    walk_.use(newest_at + meta_at::kFreeList, meta_at::kEnd - meta_at::kFreeList);
    const std::uint64_t older_at = (1 - metas_.newest_place) * walk_.report.page_size;
    walk_.use(older_at, meta_at::kMapSize);
    walk_.use(older_at + meta_at::kFreeList, 6);
    walk_.use(older_at + meta_at::kFreeList + kTreeSize - 8, 8, ByteUse::bounded);
    walk_.use(older_at + meta_at::kDirectory + kTreeSize - 8, 8, ByteUse::bounded);
    walk_.use(older_at + meta_at::kLastPage, 8, ByteUse::bounded);
    walk_.use(older_at + meta_at::kTransaction, 8);

    const bool unused = meta_.transaction == 0 && metas_.older.transaction == 0;
    if (!unused && metas_.older.transaction + 1 != meta_.transaction) {
      walk_.problem(1 - metas_.newest_place, "meta page: its transaction is not the one before the last");
    }
    if (meta_.directory.pad != 0 || meta_.directory.flags != 0) {
      walk_.problem(metas_.newest_place, "meta page: the directory of tables has wrong flags");
    }
  }

  void check_directory() {
    std::vector<std::pair<std::string, Tree>> tables;
    TreeRules rules{.name = "directory of tables", .is_free_list = false, .node_flags = kTableNode, .on_entry = {}};
    rules.on_entry = [&](const TreeEntry& entry) {
      const auto bytes = entry.value_size == kTreeSize ? walk_.file.read(entry.value_at, kTreeSize)
                                                       : Result<Bytes>(Error{ErrorCode::corrupt, {}});
      if (!bytes) return walk_.problem(entry.page, "directory of tables: an entry has a wrong size");
      const Tree tree = load_tree(*bytes, 0);
      if (tree.pad != 0 || tree.flags != 0) {
        return walk_.problem(entry.page, "directory of tables: an entry has wrong flags");
      }
      tables.emplace_back(entry.key, tree);
    };
    check_tree(walk_, meta_.directory, rules);
    for (const auto& [name, tree] : tables) {
      walk_.report.tables.push_back(name);
      check_tree(walk_, tree, {.name = "table " + name, .is_free_list = false, .node_flags = 0, .on_entry = {}});
    }
  }

  void check_free_list() {
    TreeRules rules{.name = "free list", .is_free_list = true, .node_flags = 0, .on_entry = {}};
    rules.on_entry = [&](const TreeEntry& entry) {
      if (const char* flaw = take_free_pages(entry)) walk_.problem(entry.page, fmt::format("free list: {}", flaw));
    };
    check_tree(walk_, meta_.free_list, rules);
    // A transaction copies the root of the directory, so it has freed the root that the state before it had. That ties
    // the two meta pages to each other: else one flipped bit in a transaction's number could pass the older state off
    // as the newest one.
    const std::uint64_t before = metas_.older.directory.root;
    if (walk_.report.problems.empty() && before != kNoPage && before != meta_.directory.root && !freed_root_before_) {
      walk_.problem(metas_.newest_place, "meta page: it is not the successor of the other one");
    }
  }

  const char* take_free_pages(const TreeEntry& entry) {
    constexpr std::uint64_t kWord = 8;
    const std::uint64_t transaction = load64(entry.key, 0);
    if (transaction == 0 || transaction > meta_.transaction) return "a transaction's number is out of range";
    if (entry.value_size < kWord) return "an entry is too short";
    const auto value = walk_.file.read(entry.value_at, entry.value_size);
    if (!value) return "an entry lies beyond the end of the file";
    const std::uint64_t count = load64(*value, 0);
    if (count > entry.value_size / kWord - 1) return "an entry is longer than its place";
    walk_.use(entry.value_at, kWord * (count + 1));
    std::uint64_t before = kNoPage;
    for (std::uint64_t i = 1; i <= count; ++i) {
      const std::uint64_t page = load64(*value, kWord * i);
      if (page >= before) return "pages are out of order";
      if (walk_.ledger.claim(page, 1)) return "a free page is out of range or in use";
      if (transaction == meta_.transaction && page == metas_.older.directory.root) freed_root_before_ = true;
      before = page;
    }
    walk_.report.free_pages += count;
    return nullptr;
  }

  const MetaPair& metas_;
  const Meta& meta_;
  PageWalk& walk_;
  bool freed_root_before_ = false;
};

}  // namespace

Result<PageReport> check_lmdb_pages(const std::string& path, const PageCheckOptions& options) {
  BA_ASSIGN(const PageFile file, PageFile::open(path));
  PageReport report;
  const auto metas = load_metas(file, report);
  if (!metas) return report;
  const Meta& meta = metas->newest;
  report.page_size = meta.page_size();
  report.transaction = meta.transaction;
  if (meta.last_page > file.size() / report.page_size + kMaxUnwrittenPages) {
    report.problems.push_back({metas->newest_place, "meta page: its count of pages is wrong"});
    return report;
  }
  report.pages = meta.last_page + 1;
  PageWalk walk{file, options, PageLedger(meta.last_page), report};
  FileCheck(*metas, walk).run();
  return report;
}

Result<std::uint64_t> newest_transaction(const std::string& path) {
  BA_ASSIGN(const PageFile file, PageFile::open(path));
  PageReport report;
  const auto metas = load_metas(file, report);
  return metas ? metas->newest.transaction : 0;
}

}  // namespace blockarch
