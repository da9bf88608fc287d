// Compression, one frame at a time: zstd, and deflate in zlib's wrapping.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

inline constexpr int kDefaultZstdLevel = 3;

// With a prefix, the frame holds little more than the difference from it and needs the same prefix to be read again.
Bytes zstd_compress(ByteView bytes, int level = kDefaultZstdLevel, ByteView prefix = {});

// The same for large frames: matches reach over the whole of prefix and bytes.
Bytes zstd_compress_far(ByteView bytes, int level, ByteView prefix);

// zstd_compress_far for many frames, one after the other, that have a prefix in common: what is made of the prefix is kept
// for the next frame, which costs as much as compressing it. What comes out depends on bytes, level and prefix only.
class FarCompressor {
 public:
  explicit FarCompressor(int level);
  ~FarCompressor();
  FarCompressor(const FarCompressor&) = delete;
  FarCompressor& operator=(const FarCompressor&) = delete;

  // `prefix` may be nullptr for none.
  Bytes compress(ByteView bytes, const std::shared_ptr<const Bytes>& prefix);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// Corrupt unless the frame decodes to exactly `size` bytes. The caller has capped `size`.
Result<Bytes> zstd_decompress(ByteView frame, std::uint64_t size, ByteView prefix = {});

// What zlib's uncompress() reads. Level 1 to 12.
Bytes deflate_compress(ByteView bytes, int level);
// Corrupt unless it decodes to exactly `size` bytes. The caller has capped `size`.
Result<Bytes> deflate_decompress(ByteView bytes, std::uint64_t size);

}  // namespace blockarch
