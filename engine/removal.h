// Taking captures out of an archive: whole URLs, or the captures that a retention policy does not keep. What was taken out
// can be put back until gc, after its grace, has collected it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/archive.h"
#include "engine/snapshot.h"

namespace blockarch {

// Which captures of a URL stay; those that any rule keeps do. The last capture at or before the instant of a tag stays
// always, and so does the newest of all.
struct Retention {
  std::uint64_t last = 0;  // so many of the newest
  // Of so many of the newest days (weeks, …) with captures the last one each.
  std::uint64_t daily = 0;
  std::uint64_t weekly = 0;
  std::uint64_t monthly = 0;
  std::uint64_t yearly = 0;
  std::optional<Time> since;  // all from then on
  bool changes = false;       // the first capture of everything that was seen

  bool keeps_anything() const;
};

// For each time, which must be in order, whether it stays. `first_of_version` as for Retention::changes.
std::vector<bool> choose_kept(const std::vector<Time>& times, const std::vector<bool>& first_of_version,
                              const Retention& retention, const std::vector<Time>& tags);

struct RemovalReport {
  struct Url {
    std::string url;
    std::uint64_t captures = 0;  // before
    std::uint64_t removed = 0;
    std::uint64_t versions = 0;  // of those removed, which this URL does not show any more
  };
  std::vector<Url> urls;  // those with anything removed
  std::uint64_t captures = 0;
  std::uint64_t removed = 0;
};

struct RemovalOptions {
  Time now;  // noted as the time of removal
  bool dry_run = false;
  std::chrono::milliseconds wait{10'000};
};

// invalid where the retention keeps nothing.
Result<RemovalReport> prune(Archive& archive, const UrlFilter& filter, const Retention& retention,
                            const RemovalOptions& options);
// All captures of a URL. not_found as Snapshot::find_url says.
Result<RemovalReport> forget_url(Archive& archive, const std::string& url, const RemovalOptions& options);
// Puts back whatever prune() and forget_url() took out of a URL and gc has not collected. not_found where there is nothing.
Result<RemovalReport> restore_url(Archive& archive, const std::string& url, const RemovalOptions& options);

}  // namespace blockarch
