// Any bytes as an archive of any kind: the reader ends, gives no body beyond its limit, and never takes damage for a
// failure of the machine. The first byte says how the rest is put up: as it is (whatever its own first bytes make of it:
// WARC, ARC, gzip, zstd, zip), through a pipe, compressed and then damaged, or behind the beginning of an ARC file.
#include <libdeflate.h>
#include <zstd.h>

#include <cstdint>
#include <cstdlib>

#include "warc/reader.h"

using namespace blockarch;

namespace {

constexpr std::size_t kMaxBody = 1 << 20;
constexpr std::size_t kMaxInput = 1 << 20;

const Bytes kGood =
    "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:test:1>\r\nWARC-Date: 2024-05-01T12:30:00Z\r\n"
    "WARC-Target-URI: http://good.example/\r\nContent-Length: 4\r\n\r\ngood\r\n\r\n";
const Bytes kArcStart =
    "filedesc://test.arc 0.0.0.0 20240501123000 text/plain 73\n"
    "1 1 Test\nURL IP-address Archive-date Content-type Archive-length\n\n";

Bytes gzip_member(ByteView bytes) {
  static libdeflate_compressor* const compressor = libdeflate_alloc_compressor(1);
  Bytes out(libdeflate_gzip_compress_bound(compressor, bytes.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor, bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Bytes zstd_frame(ByteView bytes) {
  Bytes out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

// The bytes in one piece with one byte changed, before a record that is good.
Bytes damaged(ByteView bytes, Bytes (*pack)(ByteView)) {
  if (bytes.size() < 3) return pack(bytes) + pack(kGood);
  const std::size_t at = static_cast<unsigned char>(bytes[0]) * 256u + static_cast<unsigned char>(bytes[1]);
  Bytes packed = pack(bytes.substr(3));
  char& changed = packed[at % packed.size()];
  changed = static_cast<char>(changed ^ bytes[2]);
  return pack(kGood) + packed + pack(kGood);
}

void read_all(Bytes bytes, bool sized) {
  ReaderOptions options;
  options.max_body = kMaxBody;
  options.spill_limit = kMaxBody / 2;
  std::size_t problems = 0;
  options.on_problem = [&problems](const Problem& problem) { problems += problem.message.empty() ? 0 : 1; };
  const std::size_t most = bytes.size() * 2048 + 64;
  auto reader = RecordReader::open(memory_input(std::move(bytes), "fuzz", sized), options);
  if (!reader) {
    if (reader.error().code == ErrorCode::io) std::abort();
    return;
  }
  for (std::size_t records = 0;; ++records) {
    const auto record = reader->next();
    if (!record) std::abort();
    if (!*record) break;
    if ((*record)->body.size() > kMaxBody || records > most) std::abort();
  }
  if (reader->format().empty() || problems > most) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > kMaxInput) return 0;
  const ByteView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0:
      read_all(Bytes(bytes), true);
      break;
    case 1:
      read_all(Bytes(bytes), false);
      break;
    case 2:
      read_all(damaged(bytes, gzip_member), true);
      break;
    case 3:
      read_all(damaged(bytes, zstd_frame), true);
      break;
    case 4:
      read_all(kArcStart + Bytes(bytes), true);
      break;
    default:
      read_all(kGood + Bytes(bytes) + kGood, false);
  }
  return 0;
}
