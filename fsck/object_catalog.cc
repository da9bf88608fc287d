#include "fsck/object_catalog.h"

#include <algorithm>

namespace blockarch {

ObjectCatalog::Entry* ObjectCatalog::find(const Hash256& id) {
  const auto place = entries_.find(id);
  return place == entries_.end() ? nullptr : &place->second;
}

const std::string* ObjectCatalog::why_broken(const Hash256& id) const {
  const auto place = broken_.find(id);
  return place == broken_.end() ? nullptr : &place->second;
}

// A chain is followed only as far as it was not reached before, so that the work is linear; circles end there too.
void ObjectCatalog::reach_bases() {
  for (const auto& [id, first] : bases_) {
    const Entry* entry = find(id);
    if (!entry || !entry->reached) continue;
    Hash256 at = first;
    for (Entry* base = find(at); base && !base->reached; base = find(at)) {
      base->reached = true;
      const auto next = bases_.find(at);
      if (next == bases_.end()) break;
      at = next->second;
    }
  }
}

std::uint64_t ObjectCatalog::count_unreached() const {
  return static_cast<std::uint64_t>(
      std::count_if(entries_.begin(), entries_.end(), [](const auto& entry) { return !entry.second.reached; }));
}

}  // namespace blockarch
