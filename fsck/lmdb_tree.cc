// 1. A page is visited once at most (the ledger sees to it), so the work is bounded by the size of the file.
// 2. Recursion is as deep as the tree says it is, at most lmdb_format::kMaxDepth.
// 3. Keys are met in order: every key is greater than the one before it; a separator is greater than all keys on its
//    left and not greater than any on its right.
#include "fsck/lmdb_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace blockarch {

using namespace lmdb_format;

PageLedger::PageLedger(std::uint64_t last_page) : taken_(last_page + 1, false) {}

const char* PageLedger::claim(std::uint64_t first, std::uint64_t count) {
  if (first < kMetaPages || first >= taken_.size() || count > taken_.size() - first) return "is out of range";
  const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  if (std::find(begin, end, true) != end) return "is used twice";
  std::fill(begin, end, true);
  claimed_ += count;
  return nullptr;
}

void PageWalk::problem(std::uint64_t page, std::string message) {
  if (report.problems.size() < kMaxPageProblems) report.problems.push_back({page, std::move(message)});
}

void PageWalk::use(std::uint64_t begin, std::uint64_t size, ByteUse use) {
  if (options.used_bytes && size > 0) options.used_bytes->push_back({begin, begin + size, use});
}

void PageWalk::tell_progress() {
  constexpr std::uint64_t kStep = 1024;
  if (options.progress && ledger.claimed() % kStep == 0) options.progress(ledger.claimed(), ledger.pages());
}

namespace {

class TreeWalk {
 public:
  TreeWalk(PageWalk& walk, const Tree& tree, const TreeRules& rules) : walk_(walk), tree_(tree), rules_(rules) {}

  void run() {
    const std::size_t before = walk_.report.problems.size();
    if (tree_.root == kNoPage) {
      if (tree_.depth != 0) problem(tree_.root, "it has levels and no root");
    } else if (tree_.depth == 0 || tree_.depth > kMaxDepth) {
      problem(tree_.root, "its depth is wrong");
    } else {
      visit(tree_.root, 1);
    }
    // A damaged page takes all below it out of the count: said once is enough.
    if (walk_.report.problems.size() != before) return;
    if (branches_ != tree_.branch_pages || leaves_ != tree_.leaf_pages || overflow_ != tree_.overflow_pages ||
        entries_ != tree_.entries) {
      problem(tree_.root, "its counts of pages and entries are wrong");
    }
  }

 private:
  void problem(std::uint64_t page, std::string_view what) {
    walk_.problem(page, fmt::format("{}: {}", rules_.name, what));
  }

  std::uint64_t page_size() const { return walk_.report.page_size; }

  void visit(std::uint64_t page, std::uint32_t level) {
    if (const char* flaw = walk_.ledger.claim(page, 1)) return problem(page, fmt::format("page {} {}", page, flaw));
    walk_.tell_progress();
    const auto bytes = walk_.file.read(page * page_size(), page_size());
    if (!bytes) return problem(page, bytes.error().message);
    const bool is_leaf = level == tree_.depth;
    ++(is_leaf ? leaves_ : branches_);
    std::vector<Node> nodes;
    if (const char* flaw = load_nodes(*bytes, page, is_leaf, nodes)) return problem(page, flaw);
    walk_.use(page * page_size(), kPageHeader + 2 * nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (is_leaf) {
        take_entry(*bytes, page, nodes[i]);
      } else {
        take_child(page, nodes[i], i == 0, level);
      }
    }
  }

  // What is wrong with the page; nullptr, and all its nodes, where nothing is.
  const char* load_nodes(ByteView bytes, std::uint64_t page, bool is_leaf, std::vector<Node>& nodes) const {
    const PageHeader header = load_page_header(bytes);
    if (header.number != page) return "the page has another number";
    if (header.flags != (is_leaf ? kLeafPage : kBranchPage) || header.pad != 0) return "the page is of another kind";
    if (header.lower < kPageHeader || header.lower % 2 != 0 || header.upper < header.lower ||
        header.upper > bytes.size()) {
      return "the page's bounds are wrong";
    }
    const std::size_t count = (header.lower - kPageHeader) / 2;
    // liblmdb stops the program at a branch with one child, but for the free list makes some itself.
    if (count < (is_leaf || rules_.is_free_list ? 1u : 2u)) return "the page has too few entries";
    for (std::size_t i = 0; i < count; ++i) {
      const auto node = load_node(bytes, load16(bytes, kPageHeader + 2 * i), is_leaf);
      if (!node) return "an entry lies outside its page";
      nodes.push_back(*node);
    }
    return fill_page(nodes, header.upper, bytes.size()) ? nullptr : "entries overlap or leave gaps";
  }

  // Whether the nodes fill the page from `upper` to its end, each made even.
  static bool fill_page(const std::vector<Node>& nodes, std::size_t upper, std::size_t end) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const Node& node : nodes) places.emplace_back(node.begin, node.end + node.end % 2);
    std::sort(places.begin(), places.end());
    for (const auto& [begin, next] : places) {
      if (begin != upper) return false;
      upper = next;
    }
    return upper == end;
  }

  void take_child(std::uint64_t page, const Node& node, bool is_first, std::uint32_t level) {
    const std::uint64_t at = page * page_size() + node.begin;
    walk_.use(at, kNodeHeader);
    // The first child's key is never looked at.
    if (!is_first) {
      walk_.use(at + kNodeHeader, node.key.size(), ByteUse::bounded);
      if (!advance(node.key, false)) problem(page, "separators are out of order");
    }
    visit(node.child, level + 1);
  }

  void take_entry(ByteView bytes, std::uint64_t page, const Node& node) {
    ++entries_;
    const std::uint64_t at = page * page_size() + node.begin;
    // The free list says itself how much of an overflow run it uses.
    const bool loose_size = rules_.is_free_list && node.flags & kBigValue;
    walk_.use(at, 4, loose_size ? ByteUse::bounded : ByteUse::exact);
    walk_.use(at + 4, kNodeHeader - 4);
    walk_.use(at + kNodeHeader, node.key.size(), rules_.is_free_list ? ByteUse::bounded : ByteUse::exact);
    if (node.key.empty() || (rules_.is_free_list && node.key.size() != 8))
      return problem(page, "a key has a wrong size");
    if (!advance(node.key, true)) return problem(page, "keys are out of order");
    if ((node.flags & ~kBigValue) != rules_.node_flags) return problem(page, "an entry has wrong flags");

    TreeEntry entry{page, node.flags, node.key, node.value_size, page * page_size() + node.value_at};
    if (node.flags & kBigValue) {
      walk_.use(entry.value_at, sizeof(std::uint64_t));
      const std::uint64_t run = load64(bytes, node.value_at);
      if (!take_run(page, run, node.value_size)) return;
      entry.value_at = run * page_size() + kPageHeader;
    }
    if (!rules_.is_free_list) walk_.use(entry.value_at, entry.value_size);
    if (rules_.on_entry) rules_.on_entry(entry);
  }

  bool take_run(std::uint64_t page, std::uint64_t run, std::uint64_t value_size) {
    const std::string what = fmt::format("overflow page {}", run);
    const std::uint64_t needed = overflow_pages(value_size, page_size());
    // The first page before the whole run: its length is still to be read.
    const char* flaw = walk_.ledger.claim(run, 1);
    if (flaw) return problem(page, fmt::format("{} {}", what, flaw)), false;
    const auto head = walk_.file.read(run * page_size(), kPageHeader);
    if (!head) return problem(page, fmt::format("{}: {}", what, head.error().message)), false;
    const PageHeader header = load_page_header(*head);
    if (header.number != run || header.flags != kOverflowPage || header.pad != 0 || header.run_length < needed) {
      return problem(page, fmt::format("{} has a wrong header", what)), false;
    }
    if (header.run_length > 1) flaw = walk_.ledger.claim(run + 1, header.run_length - 1);
    if (flaw) return problem(page, fmt::format("{} goes on where it {}", what, flaw)), false;
    if ((run + needed) * page_size() > walk_.file.size()) {
      return problem(page, fmt::format("{} goes on beyond the end of the file", what)), false;
    }
    walk_.use(run * page_size(), kPageHeader);
    overflow_ += header.run_length;
    walk_.tell_progress();
    return true;
  }

  // Whether `key` may come now.
  bool advance(ByteView key, bool is_entry) {
    const bool first = !has_last_;
    const int order = first ? 1 : compare(key, last_);
    const bool in_order = first || order > 0 || (order == 0 && is_entry && last_is_separator_);
    last_ = key;
    has_last_ = true;
    last_is_separator_ = !is_entry;
    return in_order;
  }

  int compare(ByteView a, ByteView b) const {
    if (!rules_.is_free_list || a.size() != 8 || b.size() != 8) return a.compare(b);
    const std::uint64_t x = load64(a, 0);
    const std::uint64_t y = load64(b, 0);
    return x < y ? -1 : x > y;
  }

  PageWalk& walk_;
  const Tree& tree_;
  const TreeRules& rules_;
  std::uint64_t branches_ = 0;
  std::uint64_t leaves_ = 0;
  std::uint64_t overflow_ = 0;
  std::uint64_t entries_ = 0;
  Bytes last_;
  bool has_last_ = false;
  bool last_is_separator_ = false;
};

}  // namespace

void check_tree(PageWalk& walk, const Tree& tree, const TreeRules& rules) {
  TreeWalk(walk, tree, rules).run();
}

}  // namespace blockarch
