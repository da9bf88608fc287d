// Since when each block of a page has stood there, until when it stood, how often its place changed, where else it stands.
//
// The walk goes back from the page asked for, one version object and one tree a version; no page is put together. Blocks
// are the stored ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.h"
#include "history/leaves.h"
#include "segment/label.h"

namespace blockarch {

// The run of captures in which something was seen without a break.
struct Stay {
  Time since;                // the first capture of it
  VersionId came_in;         // what that capture showed
  Time until;                // the last capture of it
  bool ended = false;        // a later capture no longer shows it
  std::optional<Time> gone;  // that capture, where it ended
};

struct BlamedBlock {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // one past the last byte
  ObjectId content;
  BlockLabel label = BlockLabel::none;
  Stay stay;
  Time first;  // the first capture ever that showed this block, which is before stay.since where it went and came back

  // Of its place: the block, what it was before it last changed, and so on (history/lineage.h).
  std::uint64_t changes = 0;  // up to the page asked for
  Time place_since;           // the first capture that had the place

  std::vector<std::string> elsewhere;  // URLs that show it at the time asked for; the first few
  std::uint64_t elsewhere_count = 0;
};

struct Blame {
  CaptureInfo capture;
  Version version;
  Stay layout;
  std::uint64_t layout_changes = 0;
  std::vector<BlamedBlock> blocks;
  std::uint64_t versions = 0;  // looked at
  std::uint64_t damaged = 0;   // of those, how many could not be read and were passed over
};

struct BlameOptions {
  bool elsewhere = false;  // look at the other URLs
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

// How many URLs are named for a block.
inline constexpr std::size_t kMostElsewhere = 5;

// A step back, from a version of the page to the one before it. The first one is told for the page itself, with nothing
// newer.
struct LineageStep {
  struct Change {
    std::size_t block;  // an index into the blocks of the page asked for
    Leaf newer;
    Leaf older;
  };
  const LogEntry* newer;               // null in the first step
  const LogEntry& older;               // `repeats` and `last_seen` say how long it stayed so
  std::vector<Change> changes;         // places whose block is another one in the newer version
  const std::vector<bool>& has_place;  // of each block: whether its place was there already in the older version
};
using LineageObserver = std::function<Result<void>(const LineageStep&)>;

Result<Blame> blame(const Snapshot& snapshot, const CaptureInfo& capture, const BlameOptions& options = {},
                    const LineageObserver& observe = {});

}  // namespace blockarch
