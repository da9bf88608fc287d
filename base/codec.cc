#include "base/codec.h"

#include <fmt/format.h>
#include <zstd.h>

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

}  // namespace

Bytes zstd_compress(ByteView bytes, int level, ByteView prefix) {
  ZSTD_CCtx* c = compressor();
  ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
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

}  // namespace blockarch
