// Contents that the next objects are probably differences from. Whoever reads the versions of a page one after the other meets
// each of them as the base of the next one, and without this would put it together again each time. Thread-safe.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/bytes.h"
#include "base/hash.h"

namespace blockarch {

class RecentBases {
 public:
  // nullptr where it is not here.
  std::shared_ptr<const Bytes> find(const Hash256& id) const {
    const std::lock_guard lock(mutex_);
    const auto known = contents_.find(id);
    return known == contents_.end() ? nullptr : known->second;
  }

  // Content that is known to be the object's. The oldest ones go.
  void add(const Hash256& id, ByteView content) {
    if (content.size() > kMost / 8) return;
    auto copy = std::make_shared<const Bytes>(content);
    const std::lock_guard lock(mutex_);
    if (!contents_.emplace(id, std::move(copy)).second) return;
    order_.push_back(id);
    bytes_ += content.size();
    while (bytes_ > kMost) {
      const auto oldest = contents_.find(order_.front());
      bytes_ -= oldest->second->size();
      contents_.erase(oldest);
      order_.pop_front();
    }
  }

 private:
  static constexpr std::size_t kMost = std::size_t{4} << 20;

  mutable std::mutex mutex_;
  std::unordered_map<Hash256, std::shared_ptr<const Bytes>> contents_;
  std::deque<Hash256> order_;
  std::size_t bytes_ = 0;
};

}  // namespace blockarch
