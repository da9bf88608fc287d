// What threads that prepare captures are working on, so that two of them do not do the same work. Only ever saves time:
// whoever relies on another's claim and does not find the result does the work itself.
#pragma once

#include <mutex>
#include <unordered_set>
#include <vector>

#include "base/hash.h"

namespace blockarch {

class Claims {
 public:
  // True for the first one to ask, until clear().
  bool claim_page(const Hash256& payload) {
    const std::lock_guard lock(mutex_);
    return pages_.insert(payload).second;
  }

  // Of these, those that somebody has claimed.
  std::vector<bool> claimed(const std::vector<Hash256>& ids) const {
    std::vector<bool> known;
    known.reserve(ids.size());
    const std::lock_guard lock(mutex_);
    for (const Hash256& id : ids) known.push_back(objects_.count(id) > 0);
    return known;
  }

  // Of these, those that nobody has claimed before; they are the caller's now.
  std::vector<bool> claim_objects(const std::vector<Hash256>& ids) {
    std::vector<bool> mine;
    mine.reserve(ids.size());
    const std::lock_guard lock(mutex_);
    for (const Hash256& id : ids) mine.push_back(objects_.insert(id).second);
    return mine;
  }

  // Once what was claimed is stored, where everybody sees it, or given up.
  void clear() {
    const std::lock_guard lock(mutex_);
    pages_.clear();
    objects_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_set<Hash256> pages_;
  std::unordered_set<Hash256> objects_;
};

}  // namespace blockarch
