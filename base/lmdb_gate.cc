#include "base/lmdb_gate.h"

namespace blockarch::lmdb_detail {

std::thread::id TransactionGate::enter() {
  const std::thread::id me = std::this_thread::get_id();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !closed_ || inside_.contains(me); });
  ++inside_[me];
  return me;
}

void TransactionGate::leave(std::thread::id who) {
  const std::lock_guard lock(mutex_);
  const auto place = inside_.find(who);
  if (--place->second == 0) inside_.erase(place);
  // Under the lock: the environment may be destroyed as soon as the last one has left.
  if (closed_ && inside_.empty()) changed_.notify_all();
}

bool TransactionGate::close(std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  std::unique_lock lock(mutex_);
  if (inside_.contains(std::this_thread::get_id())) return false;
  if (!changed_.wait_until(lock, deadline, [&] { return !closed_; })) return false;
  closed_ = true;
  if (changed_.wait_until(lock, deadline, [&] { return inside_.empty(); })) return true;
  closed_ = false;
  changed_.notify_all();
  return false;
}

void TransactionGate::open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
  changed_.notify_all();
}

}  // namespace blockarch::lmdb_detail
