#include "pack/frame_cache.h"

#include <utility>

namespace blockarch {

std::shared_ptr<const Frame> FrameCache::find(std::uint64_t pack, std::uint32_t frame, Part part) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find({pack, frame, part});
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->frame;
}

void FrameCache::put(std::uint64_t pack, std::uint32_t frame, std::shared_ptr<const Frame> loaded, Part part) {
  const std::size_t memory = loaded->memory();
  const std::lock_guard lock(mutex_);
  const Key key{pack, frame, part};
  if (places_.count(key)) return;
  entries_.push_front({key, std::move(loaded), memory});
  places_[key] = entries_.begin();
  used_ += memory;
  shrink();
}

void FrameCache::shrink() {
  while (used_ > capacity_ && entries_.size() > 1) {
    used_ -= entries_.back().memory;
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

std::size_t FrameCache::set_capacity(std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  const std::size_t before = std::exchange(capacity_, capacity);
  shrink();
  return before;
}

void FrameCache::clear() {
  std::list<Entry> gone;
  const std::lock_guard lock(mutex_);
  gone.swap(entries_);
  places_.clear();
  used_ = 0;
}

std::uint64_t FrameCache::new_pack_number() {
  const std::lock_guard lock(mutex_);
  return ++packs_;
}

}  // namespace blockarch
