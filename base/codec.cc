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

// The size and the checksum are kept beside the frame by everyone who stores one.
void set_parameters(ZSTD_CCtx* c, int level) {
  ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 0);
}

// These levels would make a table of eight million places for a frame of four; half of it does as well in less time.
void set_far_parameters(ZSTD_CCtx* c, int level, std::size_t reach) {
  constexpr int kLeast = 10;
  constexpr int kMost = 27;  // what every decoder takes
  set_parameters(c, level);
  ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, std::clamp(static_cast<int>(std::bit_width(reach)), kLeast, kMost));
  if (level >= 10 && level <= 12) ZSTD_CCtx_setParameter(c, ZSTD_c_hashLog, 22);
}

Bytes run(ZSTD_CCtx* c, ByteView bytes) {
  ZSTD_CCtx_setPledgedSrcSize(c, bytes.size());
  Bytes out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t n = ZSTD_compress2(c, out.data(), out.size(), bytes.data(), bytes.size());
  assert(!ZSTD_isError(n));
  out.resize(n);
  return out;
}

Bytes compress_far(ZSTD_CCtx* c, ByteView bytes, int level, ByteView prefix) {
  ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
  set_far_parameters(c, level, bytes.size() + prefix.size());
  if (!prefix.empty()) ZSTD_CCtx_refPrefix(c, prefix.data(), prefix.size());
  return run(c, bytes);
}

}  // namespace

Bytes zstd_compress(ByteView bytes, int level, ByteView prefix) {
  ZSTD_CCtx* c = compressor();
  ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
  set_parameters(c, level);
  if (!prefix.empty()) ZSTD_CCtx_refPrefix(c, prefix.data(), prefix.size());
  return run(c, bytes);
}

Bytes zstd_compress_far(ByteView bytes, int level, ByteView prefix) {
  return compress_far(compressor(), bytes, level, prefix);
}

struct FarCompressor::Context {
  std::unique_ptr<ZSTD_CCtx, FreeContext> zstd{ZSTD_createCCtx()};
  int level = kDefaultZstdLevel;
  std::shared_ptr<const Bytes> loaded;  // the prefix that zstd has as its dictionary
};

FarCompressor::FarCompressor(int level) : context_(std::make_unique<Context>()) {
  context_->level = level;
}

FarCompressor::~FarCompressor() = default;

// zstd makes its tables of a dictionary once, and copies them for each frame, where the frame is not much larger. Bytes
// that look like a dictionary with tables of its own would be taken for one; as a mere prefix they are bytes.
Bytes FarCompressor::compress(ByteView bytes, const std::shared_ptr<const Bytes>& prefix) {
  ZSTD_CCtx* c = context_->zstd.get();
  constexpr ByteView kMagic("\x37\xa4\x30\xec", 4);
  static_assert(ZSTD_MAGIC_DICTIONARY == 0xEC30A437);
  const std::size_t longest = prefix ? prefix->size() + (std::size_t{64} << 10) : 0;
  if (!prefix || bytes.size() > longest || ByteView(*prefix).starts_with(kMagic)) {
    context_->loaded = nullptr;
    return compress_far(c, bytes, context_->level, prefix ? ByteView(*prefix) : ByteView());
  }
  if (context_->loaded == prefix) {
    ZSTD_CCtx_reset(c, ZSTD_reset_session_only);
  } else {
    ZSTD_CCtx_reset(c, ZSTD_reset_session_and_parameters);
    set_far_parameters(c, context_->level, prefix->size() + longest);
    const std::size_t result = ZSTD_CCtx_loadDictionary(c, prefix->data(), prefix->size());
    assert(!ZSTD_isError(result));
    (void)result;
    context_->loaded = prefix;
  }
  return run(c, bytes);
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
