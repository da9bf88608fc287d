// Physical removal, for takedowns: what is erased is in no file of the archive afterwards, and a tombstone says that
// something was, when, by whom and why.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/archive.h"
#include "engine/snapshot.h"
#include "objects/object_id.h"

namespace blockarch {

struct Tombstone {
  Time when;
  std::string what;  // a URL, or the kind and id of an object
  std::string reason;
  std::string by;
  std::uint64_t captures = 0;
  std::uint64_t versions = 0;
};

struct EraseOptions {
  Time now;
  std::string reason;  // must not be empty
  std::string by;      // must not be empty
  bool dry_run = false;
  std::chrono::milliseconds wait{10'000};
};

struct EraseReport {
  Tombstone tombstone;
  struct Capture {
    std::string url;
    Time time;
    VersionId version;
  };
  std::vector<Capture> captures;  // that are gone
  // Versions of those captures that other captures still show; they stay unless they are erased by id.
  std::uint64_t shared_versions = 0;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

// All captures of a URL. What they share with other URLs stays.
Result<EraseReport> erase_url_for_good(Archive& archive, const std::string& url, const EraseOptions& options);
// Every capture, of whatever URL, that shows the version, or whose page holds the block, list, layout or tree; of metadata
// the metadata only. The object is gone afterwards.
Result<EraseReport> erase_object_for_good(Archive& archive, const ObjectId& object, const EraseOptions& options);

// Oldest first.
Result<std::vector<Tombstone>> tombstones(const Snapshot& snapshot);

}  // namespace blockarch
