// Ids of objects that are known to be stored, the ones that were asked for lately. Only ever saves time; thread-safe.
#pragma once

#include <array>
#include <mutex>
#include <vector>

#include "base/hash.h"

namespace blockarch {

class StoredIds {
 public:
  bool contains(const Hash256& id) const {
    const Shard& shard = shards_[shard_of(id)];
    const std::lock_guard lock(shard.mutex);
    return !shard.ids.empty() && shard.ids[slot_of(id)] == id;
  }

  void add(const Hash256& id) {
    Shard& shard = shards_[shard_of(id)];
    const std::lock_guard lock(shard.mutex);
    if (shard.ids.empty()) shard.ids.resize(kSlots);
    shard.ids[slot_of(id)] = id;
  }

  // Once others may have removed something.
  void clear() {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.ids.clear();
    }
  }

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kSlots = 8192;  // in each, 256 KiB
  struct Shard {
    mutable std::mutex mutex;
    std::vector<Hash256> ids;
  };

  // An id is as good as random. No object has the id zero, which an empty slot holds.
  static std::size_t shard_of(const Hash256& id) { return id.bytes[0] % kShards; }
  static std::size_t slot_of(const Hash256& id) { return (id.bytes[1] | id.bytes[2] << 8U) % kSlots; }

  std::array<Shard, kShards> shards_;
};

}  // namespace blockarch
