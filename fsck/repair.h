// Makes a damaged archive usable again with what is left of it. Derived data is made anew; what is damaged is moved into
// quarantine/, never deleted; what could be read of a damaged pack becomes loose objects. docs/fsck.md says what is done
// about each finding.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "fsck/fsck.h"

namespace blockarch {

struct RepairOptions {
  // Take captures that cannot be had back out of their histories. Without it they stay, and every check names them.
  bool drop_lost = false;
  // How long to wait for whoever writes, packs or collects, before error `locked`.
  std::chrono::milliseconds wait{10'000};
  std::function<void(const char* stage, std::uint64_t done, std::uint64_t total)> progress;
};

struct RepairReport {
  std::vector<std::string> actions;  // what was done, one line each
  std::vector<Finding> lost;         // what cannot be had back
  std::vector<std::string> advice;   // what has to be done by hand
  FsckReport after;                  // a full check at the end
};

// Errors as check_archive(), and `locked`. An error in the middle leaves an archive that can be repaired again.
Result<RepairReport> repair_archive(const std::string& directory, const RepairOptions& options = {});

}  // namespace blockarch
