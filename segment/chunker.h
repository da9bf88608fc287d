// Content-defined chunks: where a long run of bytes without structure is cut so that a small edit moves few cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace blockarch {

struct ChunkSizes {
  std::uint32_t minimum;
  std::uint32_t average;  // a power of two
  std::uint32_t maximum;
};

// By the size of what is cut: small averages where it pays, larger ones so that a file of hundreds of megabytes does
// not become millions of objects. Fixed for ever by docs/format.md in the sense that changing it only costs
// deduplication against what is stored already.
ChunkSizes chunk_sizes_for(std::uint64_t total);

// The end offset of each chunk, the last being bytes.size(); empty for no bytes. Gear hash with normalised chunking
// (two masks), so sizes stay near the average. Depends on the bytes alone.
std::vector<std::uint64_t> chunk_ends(ByteView bytes, const ChunkSizes& sizes);

}  // namespace blockarch
