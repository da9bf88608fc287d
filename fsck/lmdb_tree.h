// Walks one B-tree of an LMDB file and checks everything that liblmdb relies on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fsck/lmdb_format.h"
#include "fsck/lmdb_pages.h"
#include "fsck/page_file.h"

namespace blockarch {

// Who has which page: every page belongs to one owner at most.
class PageLedger {
 public:
  // Page numbers up to `last_page`.
  explicit PageLedger(std::uint64_t last_page);

  // What is wrong with taking these pages; nullptr, and they are taken, where nothing is.
  const char* claim(std::uint64_t first, std::uint64_t count);

  std::uint64_t pages() const { return taken_.size(); }
  std::uint64_t claimed() const { return claimed_; }
  bool is_claimed(std::uint64_t page) const { return taken_[page]; }

 private:
  std::vector<bool> taken_;
  std::uint64_t claimed_ = 0;
};

// What the walks of all trees of a file share.
struct PageWalk {
  const PageFile& file;
  const PageCheckOptions& options;
  PageLedger ledger;
  PageReport& report;

  void problem(std::uint64_t page, std::string message);
  void use(std::uint64_t begin, std::uint64_t size, ByteUse use = ByteUse::exact);
  void tell_progress();
};

struct TreeEntry {
  std::uint64_t page = 0;  // of the leaf
  std::uint16_t flags = 0;
  ByteView key;
  std::uint64_t value_size = 0;
  std::uint64_t value_at = 0;  // in the file; the value lies inside the file
};

struct TreeRules {
  std::string name;           // for messages: "table urls"
  bool is_free_list = false;  // keys are numbers, and the owner says which bytes of the values are used
  std::uint16_t node_flags = 0;
  // May be empty.
  std::function<void(const TreeEntry&)> on_entry;
};

// Problems go to walk.report.
void check_tree(PageWalk& walk, const lmdb_format::Tree& tree, const TreeRules& rules);

}  // namespace blockarch
