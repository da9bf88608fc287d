// Work that is done by many threads and taken in the order it came: push → (take → finish)* → pop.
//
// One thread pushes, one pops, any number take. Bounded by a weight that the pusher gives; one item is always let in,
// however heavy.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace blockarch {

template <typename Item>
class OrderedQueue {
 public:
  explicit OrderedQueue(std::uint64_t max_weight) : max_weight_(max_weight) {}

  // Waits for room. False once the queue was cancelled.
  bool push(std::unique_ptr<Item> item, std::uint64_t weight) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return cancelled_ || slots_.empty() || weight_ + weight <= max_weight_; });
    if (cancelled_) return false;
    weight_ += weight;
    slots_.push_back({std::move(item), weight, false});
    work_.notify_one();
    return true;
  }
  // Nothing more will be pushed.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    work_.notify_all();
    done_.notify_all();
  }

  // The next item that nobody has taken; null when there will be none. It stays in the queue.
  Item* take() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return cancelled_ || next_ < slots_.size() || closed_; });
    if (cancelled_ || next_ >= slots_.size()) return nullptr;
    return slots_[next_++].item.get();
  }
  // It has turned out to be heavier or lighter; the pusher waits longer or less long.
  void reweigh(const Item* item, std::uint64_t weight) {
    const std::lock_guard lock(mutex_);
    Slot* slot = find(item);
    weight_ += weight - slot->weight;
    slot->weight = weight;
    room_.notify_one();
  }
  void finish(const Item* item) {
    const std::lock_guard lock(mutex_);
    Slot* slot = find(item);
    slot->done = true;
    if (slot == &slots_.front()) done_.notify_one();
  }

  // The oldest item, once it is finished; null at the end or when cancelled.
  std::unique_ptr<Item> pop() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return cancelled_ || (slots_.empty() ? closed_ : slots_.front().done); });
    if (cancelled_ || slots_.empty()) return nullptr;
    std::unique_ptr<Item> item = std::move(slots_.front().item);
    weight_ -= slots_.front().weight;
    slots_.pop_front();
    --next_;
    room_.notify_one();
    return item;
  }

  // Everybody returns as soon as possible; items that are being worked on stay alive until the queue is destroyed.
  void cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    room_.notify_all();
    work_.notify_all();
    done_.notify_all();
  }

 private:
  struct Slot {
    std::unique_ptr<Item> item;
    std::uint64_t weight;
    bool done;
  };
  Slot* find(const Item* item) {
    std::size_t i = 0;
    while (slots_[i].item.get() != item) ++i;
    return &slots_[i];
  }

  std::mutex mutex_;
  std::condition_variable room_, work_, done_;
  std::deque<Slot> slots_;
  std::size_t next_ = 0;  // the first slot that nobody has taken
  const std::uint64_t max_weight_;
  std::uint64_t weight_ = 0;
  bool closed_ = false;
  bool cancelled_ = false;
};

}  // namespace blockarch
