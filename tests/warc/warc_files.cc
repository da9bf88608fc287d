#include "warc_files.h"

#include <libdeflate.h>
#include <zstd.h>

namespace blockarch {

Bytes gzip_member(ByteView bytes) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  Bytes out(libdeflate_gzip_compress_bound(compressor, bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor, bytes.data(), bytes.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

Bytes zstd_frame(ByteView bytes, ByteView dictionary) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  Bytes out(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_loadDictionary(context, dictionary.data(), dictionary.size());
  out.resize(ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return out;
}

Bytes skippable_frame(ByteView bytes, std::uint32_t magic) {
  Bytes out;
  for (const std::uint32_t number : {magic, static_cast<std::uint32_t>(bytes.size())}) {
    for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(number >> shift & 0xFF));
  }
  return out.append(bytes);
}

}  // namespace blockarch
