#include "warc_files.h"

#include <archive.h>
#include <archive_entry.h>
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

Bytes zip_file(const std::vector<std::pair<std::string, Bytes>>& entries, bool deflated) {
  Bytes out;
  for (const auto& [name, content] : entries) out.reserve(out.capacity() + name.size() * 2 + content.size() + 1024);
  out.resize(out.capacity() + 4096);
  std::size_t used = 0;
  archive* zip = archive_write_new();
  archive_write_set_format_zip(zip);
  archive_write_set_options(zip, deflated ? "zip:compression=deflate" : "zip:compression=store");
  archive_write_open_memory(zip, out.data(), out.size(), &used);
  for (const auto& [name, content] : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(zip, entry);
    archive_write_data(zip, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(zip);
  archive_write_free(zip);
  out.resize(used);
  return out;
}

}  // namespace blockarch
