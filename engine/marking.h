// What an archive still needs, by what is in its histories and what may be put back. Private to engine/.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "base/time.h"
#include "engine/view.h"

namespace blockarch {

struct PackMarks {
  std::shared_ptr<const Pack> pack;
  std::vector<bool> versions;
  std::vector<bool> metadata;
  std::vector<bool> contents;
  std::vector<bool> lists;

  std::uint64_t dead_versions() const;
  std::uint64_t dead_metadata() const;
  std::uint64_t dead_objects() const;  // contents and lists
  bool is_whole() const { return dead_versions() == 0 && dead_metadata() == 0 && dead_objects() == 0; }
};

struct Marks {
  std::vector<bool> versions;  // by number
  std::vector<bool> metadata;
  std::unordered_set<Hash256> loose;  // ids that are needed, of loose objects or wherever they are
  std::vector<PackMarks> packs;       // in the order of View::objects
};

// Histories, and removals later than `expires`.
Result<Marks> mark(const View& view, Time expires);

}  // namespace blockarch
