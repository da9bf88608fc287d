// What a log can say about the versions it lists, beyond when they were seen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.h"
#include "history/leaves.h"
#include "segment/label.h"

namespace blockarch {

// How a version differs from the one before it, by its stored blocks.
struct ChangeStat {
  std::uint64_t changed = 0;  // another block in the same place
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t bytes_added = 0;    // of blocks that are new
  std::uint64_t bytes_removed = 0;  // of blocks that are gone
  bool layout = false;              // what is outside of blocks differs

  bool operator==(const ChangeStat&) const = default;
};
// `older` is null for the first version: everything is added.
Result<ChangeStat> change_stat(LeafReader& reader, const VersionId* older, const VersionId& newer);

// Tells whether the part of a page that has a label changed: its main content, its navigation. The labels are those of the
// blocks that a person sees (segment/describe.h); pages are put together for it.
class LabelledPart {
 public:
  LabelledPart(const Snapshot& snapshot, BlockLabel label) : snapshot_(snapshot), label_(label) {}

  // Of the bytes that have the label; equal where both have none.
  Result<Hash256> digest(const VersionId& version);

 private:
  struct Known {
    VersionId version;
    Hash256 digest;
  };
  const Snapshot& snapshot_;
  BlockLabel label_;
  std::vector<Known> known_;  // the last few
};

// Which label has this name ("main"); not_found lists the names there are.
Result<BlockLabel> label_named(std::string_view name);

// Versions that a page returned to. Each has a lane of its own from the first time it was shown to the last; lane 0 is for
// versions that were shown once.
class ReturnGraph {
 public:
  // From the log of the URL up to `until`. Memory grows with the history, by 40 bytes a version.
  static Result<ReturnGraph> make(const Snapshot& snapshot, UrlNumber url, std::optional<Time> until);

  static constexpr std::uint8_t kMostLanes = 7;

  struct Place {
    std::uint8_t lane = 0;
    std::uint8_t running = 0;         // bit n - 1: lane n goes past here
    std::optional<Time> returned_to;  // where the version was shown before: when it last was
    std::uint64_t times = 1;          // how often it has come by then
  };
  // Of the entry of the log that began at or before this time.
  Place at(Time time) const;
  std::uint8_t lanes() const { return lanes_; }

 private:
  struct Row {
    Time first;
    Time last;
    Place place;
  };
  std::vector<Row> rows_;  // in order of time
  std::uint8_t lanes_ = 0;
};

// "* |": the lanes of an entry, a column each.
std::string draw_lanes(const ReturnGraph& graph, const ReturnGraph::Place& place, char mark);

}  // namespace blockarch
