// Ids of blocks that were met lately, found by their bytes. Pages of one history repeat most of their blocks, and bytes
// are compared several times as fast as they are hashed. Only ever saves time; thread-safe.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/bytes.h"
#include "base/hash.h"

namespace blockarch {

class RecentBlocks {
 public:
  // Keeps about `capacity` bytes of blocks.
  explicit RecentBlocks(std::size_t capacity);
  ~RecentBlocks();

  // The id of the block with this content.
  Hash256 id_of(ByteView content);
  // Gives its memory back until it is filled again.
  void clear();

 private:
  struct Shard;
  static constexpr std::size_t kShards = 64;
  std::size_t shard_capacity_;
  std::unique_ptr<std::array<Shard, kShards>> shards_;
};

}  // namespace blockarch
