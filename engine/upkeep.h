// What packing and collecting share: one at a time holds the upkeep lock. Private to engine/.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "engine/archive_impl.h"
#include "refs/history_chunk.h"

namespace blockarch {

// Holds the upkeep lock. Removes what an earlier one that died left lying about.
class Upkeep {
 public:
  static Result<Upkeep> begin(Archive::Impl& archive, std::chrono::milliseconds wait);

  Archive::Impl& archive() const { return *archive_; }
  // Where a pack is made before it has its name.
  std::string temporary_pack() const { return archive_->path("packs/making.tmp"); }
  // Gives a finished pack its name, durably.
  Result<void> publish_pack(const Hash256& name) const;
  // Removes packs that the tables do not name, and tables of other generations.
  Result<void> sweep() const;
  // Packs that were replaced wait in quarantine/ for the next collection.
  Result<void> quarantine_pack(const Hash256& name) const;
  Result<void> empty_quarantine() const;

 private:
  Upkeep(Archive::Impl& archive, FileLock lock) : archive_(&archive), lock_(std::move(lock)) {}

  Archive::Impl* archive_;
  FileLock lock_;
};

// All files of the archive.
Result<std::uint64_t> disk_bytes(const Archive::Impl& archive);

// The observations of a URL, in order of time.
struct Lineage {
  std::vector<Observation> observations;
};
// Every URL's history in order of URL keys, then those that were removed and may be put back.
Result<void> each_lineage(const View& view, const std::function<Result<void>(const Lineage&)>& each);

}  // namespace blockarch
