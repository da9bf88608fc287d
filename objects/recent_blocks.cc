#include "objects/recent_blocks.h"

#include <functional>

#include "objects/object_id.h"

namespace blockarch {
namespace {

constexpr std::size_t kSlots = 1024;     // in each shard
constexpr std::size_t kShortest = 64;    // below, hashing costs no more than looking
constexpr std::size_t kLongest = 65536;  // above, hashing runs at full speed, and few blocks would take all the room

}  // namespace

// One slot for each value of a quick hash: whatever comes last has it.
struct RecentBlocks::Shard {
  struct Slot {
    Bytes content;
    Hash256 id;
  };
  std::mutex mutex;
  std::vector<Slot> slots;
  std::size_t bytes = 0;
};

RecentBlocks::RecentBlocks(std::size_t capacity)
    : shard_capacity_(capacity / kShards), shards_(std::make_unique<std::array<Shard, kShards>>()) {}

RecentBlocks::~RecentBlocks() = default;

void RecentBlocks::clear() {
  for (Shard& shard : *shards_) {
    const std::lock_guard lock(shard.mutex);
    std::vector<Shard::Slot>().swap(shard.slots);
    shard.bytes = 0;
  }
}

Hash256 RecentBlocks::id_of(ByteView content) {
  if (content.size() < kShortest || content.size() > kLongest) return hash_object(ObjectKind::block, content);
  const std::size_t quick = std::hash<ByteView>()(content);
  Shard& shard = (*shards_)[quick % kShards];
  const std::size_t place = quick / kShards % kSlots;
  {
    const std::lock_guard lock(shard.mutex);
    if (!shard.slots.empty() && shard.slots[place].content == content) return shard.slots[place].id;
  }
  const Hash256 id = hash_object(ObjectKind::block, content);
  const std::lock_guard lock(shard.mutex);
  if (shard.slots.empty() || shard.bytes > shard_capacity_) {
    shard.slots.assign(kSlots, {});
    shard.bytes = 0;
  }
  Shard::Slot& slot = shard.slots[place];
  shard.bytes += content.size() - slot.content.size();
  slot.content = Bytes(content);  // not a larger block's memory once more
  slot.id = id;
  return id;
}

}  // namespace blockarch
