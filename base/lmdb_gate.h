// Counts the open transactions of one LMDB environment in this process, and lets one thread have the environment to
// itself: LMDB moves its memory map only while no transaction of the process looks at it.
//
// Not a std::shared_mutex, because a transaction may end in another thread than the one that began it, and because one
// thread may hold several.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace blockarch::lmdb_detail {

class TransactionGate {
 public:
  // Waits while another thread closes the gate, unless this thread is inside already: it would wait for itself. Returns
  // who entered, for leave().
  std::thread::id enter();
  void leave(std::thread::id who);

  // Keeps new transactions out and waits until those inside have left. False, with the gate open as before, where that
  // takes longer than `wait` or where this thread itself is inside.
  [[nodiscard]] bool close(std::chrono::milliseconds wait);
  void open();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<std::thread::id, unsigned> inside_;
  bool closed_ = false;
};

// Inside the gate for a scope.
class GatePass {
 public:
  explicit GatePass(TransactionGate& gate) : gate_(gate), who_(gate.enter()) {}
  GatePass(const GatePass&) = delete;
  GatePass& operator=(const GatePass&) = delete;
  ~GatePass() { gate_.leave(who_); }

 private:
  TransactionGate& gate_;
  std::thread::id who_;
};

}  // namespace blockarch::lmdb_detail
