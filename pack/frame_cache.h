// Decompressed frames, the most recently used ones. Shared by all packs of an archive and by all threads.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "pack/frames.h"

namespace blockarch {

class FrameCache {
 public:
  explicit FrameCache(std::size_t capacity) : capacity_(capacity) {}

  // The frame itself, or the ids of what it holds.
  enum class Part : std::uint8_t { frame, ids };

  // nullptr where it is not here.
  std::shared_ptr<const Frame> find(std::uint64_t pack, std::uint32_t frame, Part part = Part::frame);
  // Drops the ones that were not used for longest until the rest fits; a frame larger than all is kept alone.
  void put(std::uint64_t pack, std::uint32_t frame, std::shared_ptr<const Frame> loaded, Part part = Part::frame);

  // Forgets all of them. Who uses one goes on doing so.
  void clear();
  // How many bytes it may hold from now on; tells how many that were.
  std::size_t set_capacity(std::size_t capacity);

  // A number for each pack that uses the cache.
  std::uint64_t new_pack_number();

 private:
  struct Key {
    std::uint64_t pack = 0;
    std::uint32_t frame = 0;
    Part part = Part::frame;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return (key.pack << 1 | static_cast<std::uint64_t>(key.part)) * 0x9E3779B97F4A7C15U ^ key.frame;
    }
  };
  struct Entry {
    Key key;
    std::shared_ptr<const Frame> frame;
    std::size_t memory = 0;
  };

  void shrink();  // to the capacity; the lock is held

  std::size_t capacity_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> places_;
  std::size_t used_ = 0;
  std::uint64_t packs_ = 0;
};

}  // namespace blockarch
