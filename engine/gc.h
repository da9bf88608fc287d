// Collecting what nothing refers to: objects of captures that were pruned or forgotten longer ago than the grace.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/archive.h"

namespace blockarch {

inline constexpr std::chrono::hours kDefaultGrace{14 * 24};

struct GcOptions {
  Time now;
  std::chrono::microseconds grace = kDefaultGrace;
  bool dry_run = false;
  // Packs are written anew where at least this share of their objects is dead; less costs more than it gives.
  double worth = 0.1;
  // Replaced packs are removed at once instead of waiting in quarantine/ for the next collection.
  bool at_once = false;
  std::chrono::milliseconds wait{10'000};
  std::function<void(const char* stage, std::uint64_t done, std::uint64_t total)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct GcReport {
  std::uint64_t expired_captures = 0;  // removed longer ago than the grace: cannot be put back any more
  std::uint64_t waiting_captures = 0;  // removed, and still within it
  std::uint64_t dead_versions = 0;     // that no capture shows
  std::uint64_t dead_metadata = 0;
  std::uint64_t loose_objects = 0;  // dead ones
  std::uint64_t loose_bytes = 0;
  struct PackUse {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t objects = 0;  // versions, metadata, contents and lists
    std::uint64_t dead_objects = 0;
    bool rewritten = false;  // now, or by a run that is not dry
  };
  std::vector<PackUse> packs;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

// Safe beside readers and beside whoever writes: what has come to be needed meanwhile is looked for again, under the
// writer's lock, before anything goes.
Result<GcReport> collect_garbage(Archive& archive, const GcOptions& options);

}  // namespace blockarch
