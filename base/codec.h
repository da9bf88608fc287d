// zstd, one frame at a time.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

inline constexpr int kDefaultZstdLevel = 3;

// With a prefix, the frame holds little more than the difference from it and needs the same prefix to be read again.
Bytes zstd_compress(ByteView bytes, int level = kDefaultZstdLevel, ByteView prefix = {});

// Corrupt unless the frame decodes to exactly `size` bytes. The caller has capped `size`.
Result<Bytes> zstd_decompress(ByteView frame, std::uint64_t size, ByteView prefix = {});

}  // namespace blockarch
