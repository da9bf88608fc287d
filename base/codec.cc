#include "base/codec.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>

namespace blockarch {
namespace {

struct FreeContext {
  void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
  void operator()(ZSTD_DCtx* d) const { ZSTD_freeDCtx(d); }
};

// A context costs far more than a small frame, so each thread keeps one.
ZSTD_CCtx* compressor() {
  thread_local std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  return context.get();
}

ZSTD_DCtx* decompressor() {
  thread_local std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  return context.get();
}

// `window`: base-2 logarithm, 0 = what the level says.
Bytes compress(ByteView bytes, int level, ByteView prefix, int window) {
  ZSTD_CCtx* c = compressor();
  ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
  if (window != 0) ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window);
  // The size and the checksum are kept beside the frame by everyone who stores one.
  ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 0);
  ZSTD_CCtx_setPledgedSrcSize(c, bytes.size());
  if (!prefix.empty()) ZSTD_CCtx_refPrefix(c, prefix.data(), prefix.size());
  Bytes out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t n = ZSTD_compress2(c, out.data(), out.size(), bytes.data(), bytes.size());
  assert(!ZSTD_isError(n));
  out.resize(n);
  return out;
}

}  // namespace

Bytes zstd_compress(ByteView bytes, int level, ByteView prefix) {
  return compress(bytes, level, prefix, 0);
}

Bytes zstd_compress_far(ByteView bytes, int level, ByteView prefix) {
  constexpr int kLeast = 10;
  constexpr int kMost = 27;  // what every decoder takes
  const auto reach = static_cast<int>(std::bit_width(bytes.size() + prefix.size()));
  return compress(bytes, level, prefix, std::clamp(reach, kLeast, kMost));
}

Result<Bytes> zstd_decompress(ByteView frame, std::uint64_t size, ByteView prefix) {
  ZSTD_DCtx* d = decompressor();
  ZSTD_DCtx_reset(d, ZSTD_reset_session_and_parameters);
  ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, 31);
  if (!prefix.empty()) ZSTD_DCtx_refPrefix(d, prefix.data(), prefix.size());
  Bytes out(size, '\0');
  const std::size_t n = ZSTD_decompressDCtx(d, out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(n)) {
    return Error{ErrorCode::corrupt, fmt::format("a compressed frame does not decode: {}", ZSTD_getErrorName(n))};
  }
  if (n != size) {
    return Error{ErrorCode::corrupt, fmt::format("a compressed frame holds {} bytes instead of {}", n, size)};
  }
  return out;
}

Bytes deflate_compress(ByteView bytes, int level) {
  struct Free {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  };
  const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(level));
  Bytes out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()), '\0');
  out.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Result<Bytes> deflate_decompress(ByteView bytes, std::uint64_t size) {
  struct Free {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  thread_local const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  Bytes out(size, '\0');
  std::size_t made = 0;
  const auto result =
      libdeflate_zlib_decompress(decompressor.get(), bytes.data(), bytes.size(), out.data(), out.size(), &made);
  if (result != LIBDEFLATE_SUCCESS || made != size) {
    return Error{ErrorCode::corrupt, "a deflated frame does not decode to its size"};
  }
  return out;
}

}  // namespace blockarch
