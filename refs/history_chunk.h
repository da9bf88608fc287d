// A run of one URL's observations as one LMDB value: some dozens of them in a few bytes each. Inserting one anywhere
// rewrites one chunk, whatever the length of the history.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "refs/number_table.h"
#include "refs/url_table.h"

namespace blockarch {

// A capture was made at `time` and showed this version.
struct Observation {
  Time time;
  VersionNumber version;
  std::optional<MetadataNumber> metadata;

  bool operator==(const Observation&) const = default;
};

// Where a chunk stands: URL, time of its first observation, and how many observations of the same URL and time come
// before that one (chunks may break inside a run of equal times).
struct ChunkKey {
  UrlNumber url;
  Time first;
  std::uint32_t rank = 0;

  bool operator==(const ChunkKey&) const = default;
};

Bytes encode_chunk_key(const ChunkKey& key);
Result<ChunkKey> decode_chunk_key(ByteView bytes);

inline constexpr std::size_t kMaxChunkObservations = 64;

// `observations` is not empty and in time order; the first one's time is the key's. Sealed to its key.
Bytes encode_chunk(const ChunkKey& key, const std::vector<Observation>& observations);
Result<std::vector<Observation>> decode_chunk(ByteView key, ByteView value);

}  // namespace blockarch
