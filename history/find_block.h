// Every URL and every span of time in which a block, or a text, was seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "engine/snapshot.h"
#include "history/leaves.h"

namespace blockarch {

// Whether blocks have a text in them, as a reader sees it (history/reader_text.h). What was found out about a block is
// remembered, within bounds.
class TextFinder {
 public:
  // Blanks in `text` stand for any run of blanks. `ignore_case` by ASCII and Unicode's simple rules.
  TextFinder(const ObjectSource& objects, std::string_view text, bool ignore_case);

  // invalid where there is nothing to look for.
  Result<void> check() const;

  Result<bool> in_block(const Leaf& leaf, const VersionLeaves& version);
  // Text that stands outside of all blocks.
  Result<bool> in_layout(const VersionLeaves& version);
  // In a block or in the layout.
  Result<bool> in_page(const VersionLeaves& version);

 private:
  bool has(ByteView bytes, const VersionLeaves& version) const;
  Result<Bytes> read(const Leaf& leaf);
  bool remember(const Hash256& id, bool found);

  const ObjectSource& objects_;
  std::string text_;
  bool ignore_case_;
  std::unordered_map<Hash256, bool> known_;
  // Long blocks change by a chunk or two at a time: the others need not be read again.
  std::unordered_map<Hash256, Bytes> chunks_;
  std::size_t chunk_bytes_ = 0;
};

// A URL showed the block in every capture of this span.
struct Sighting {
  std::string url;
  UrlNumber number;
  ObjectId block;  // a block or a list; a version's layout where the text stands outside of blocks
  Time first;
  Time last;
  std::optional<Time> gone;  // the first capture after it that no longer has the block; nothing where it still stands
  VersionId version;         // the first that had it
  std::uint64_t versions = 0;
};

struct FindBlockOptions {
  UrlFilter urls;
  std::optional<Time> since;  // only captures at or after
  std::optional<Time> until;  // only captures at or before
  std::function<void(std::uint64_t captures_done)> progress = {};
};

struct FindBlockReport {
  std::uint64_t urls = 0;      // looked at
  std::uint64_t versions = 0;  // looked at
  std::uint64_t damaged = 0;   // could not be read and were passed over
};

// In the order of URLs; the sightings at a URL in the order in which they end. Memory is bounded by the blocks of a page.
// The callback returns false to stop.
//
// By id: a block, a list, or a chunk of a list (each list that holds it is then a sighting).
Result<FindBlockReport> find_block(const Snapshot& snapshot, const ObjectId& id, const FindBlockOptions& options,
                                   const std::function<bool(const Sighting&)>& each);
// By text.
Result<FindBlockReport> find_text(const Snapshot& snapshot, TextFinder& finder, const FindBlockOptions& options,
                                  const std::function<bool(const Sighting&)>& each);

}  // namespace blockarch
