// The history of a URL without the versions that differ by noise only.
#pragma once

#include <functional>
#include <optional>

#include "base/result.h"
#include "engine/snapshot.h"
#include "history/meaning.h"

namespace blockarch {

struct SignificantEntry {
  // As in the log; what follows it without a significant difference is folded into `repeats` and `last_seen`.
  LogEntry entry;
  bool significant = true;  // false only where noise was asked for
  std::uint64_t noise = 0;  // versions folded into this one that differ by noise
  struct Return {
    Time time;
    VersionId version;
  };
  std::optional<Return> returned_to;  // the last earlier entry that says the same, another one between
};

struct SignificantLogOptions {
  LogOptions log;           // `unchanged` is ignored
  bool with_noise = false;  // also each version that differs by noise only, not folded
  const SignificanceRules* rules = nullptr;
  SignificanceOptions significance;
};

// Reads every version up to log.until once, oldest first: what a page returned to may be old. A version that cannot be read
// is significant and damaged. The callback returns false to stop.
Result<void> significant_log(const Snapshot& snapshot, const CaptureInfo& last, const SignificantLogOptions& options,
                             const std::function<bool(const SignificantEntry&)>& each);

}  // namespace blockarch
