// A long block as a list of chunks, each a `block` object of its own, so that a small change in a large script, data
// table or file costs one chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_id.h"

namespace blockarch {

struct Chunk {
  BlockId id;
  std::uint64_t size = 0;
  bool operator==(const Chunk&) const = default;
};

// At least two chunks, none empty.
struct BlockList {
  std::vector<Chunk> chunks;
  std::uint64_t size() const;
  bool operator==(const BlockList&) const = default;
};

Bytes encode_block_list(const BlockList& list);
Result<BlockList> decode_block_list(ByteView content);

}  // namespace blockarch
