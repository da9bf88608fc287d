// The numbers of the pack format that its parts share (docs/format.md, "Packs").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "objects/object_id.h"

namespace blockarch {

inline constexpr char kPackMagic[] = "BAPACK01";
inline constexpr std::size_t kPackMagicSize = 8;
// At the end: the directory's place, size and checksum, and the hash of all that comes before it.
inline constexpr std::size_t kPackFooterSize = 8 + 8 + 8 + 32;
// No frame is larger when it is decompressed: an object of the greatest size fits with its head.
inline constexpr std::uint64_t kMaxFrameSize = std::uint64_t{256} << 20;

enum class FrameType : std::uint8_t {
  content = 1,        // blocks and layouts
  recipe = 2,         // lists, and versions with their trees
  metadata = 3,       // metadata objects
  versions = 4,       // ids of versions and beginnings of their payload hashes
  externals = 5,      // ids of what is referred to and stands elsewhere
  content_index = 6,  // beginning of an id → frame of a content or metadata object
  recipe_index = 7,   // beginning of an id → list, version or tree
};

enum class FrameCodec : std::uint8_t { stored = 0, zstd = 1, deflate = 2 };

// The first eight bytes of a frame's BLAKE3.
std::uint64_t frame_checksum(ByteView stored);

}  // namespace blockarch
