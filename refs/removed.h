// What was taken out of histories and may still be put back. Nothing that it refers to goes before it does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/lmdb.h"
#include "base/time.h"
#include "objects/metadata.h"
#include "refs/history_chunk.h"
#include "refs/tables.h"

namespace blockarch {

struct Removed {
  Time when;
  std::uint32_t order = 0;  // among those of one moment
  std::string url;          // as it was first given
  Metadata url_metadata;
  std::vector<Observation> observations;  // in order of time
};

// Kept in parts of so many observations.
inline constexpr std::size_t kMaxRemovedObservations = 1024;

Bytes encode_removed_key(Time when, std::uint32_t order);
Bytes encode_removed(ByteView key, const Removed& removed);
Result<Removed> decode_removed(ByteView key, ByteView value);

// `order` is set here; a long one becomes several. The table must be there.
Result<void> add_removed(WriteTransaction& transaction, const Tables& tables, const Removed& removed);
// Oldest first. An archive without the table has none.
Result<void> each_removed(const ReadTransaction& transaction, const Tables& tables,
                          const std::function<Result<void>(const Removed&)>& each);
Result<void> erase_removed(WriteTransaction& transaction, const Tables& tables, const Removed& removed);

}  // namespace blockarch
