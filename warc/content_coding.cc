// Every decoder is run step by step into an output that grows, so that a bomb is seen before it has gone off.
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <fmt/format.h>
#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "base/codec.h"
#include "warc/http.h"

namespace blockarch {
namespace {

constexpr int kMaxCodings = 8;

enum class State { more, done, bad };
struct Step {
  State state;
  std::size_t used, made;
};

std::uint64_t most_output(std::size_t input, const DecodeLimits& limits) {
  const std::uint64_t by_ratio = input > limits.max_size / std::max<std::uint64_t>(limits.max_ratio, 1)
                                     ? limits.max_size
                                     : input * limits.max_ratio;
  return std::min(limits.max_size, std::max(limits.free_size, by_ratio));
}

Error does_not_decode(std::string_view coding, std::string_view why) {
  return {ErrorCode::corrupt, fmt::format("the {} content {}", coding, why)};
}

// Decoder::step(in, out, size) → Step; Decoder::next_member(rest) → whether another one follows the end.
template <typename Decoder>
Result<Bytes> run(Decoder& decoder, std::string_view coding, ByteView in, const DecodeLimits& limits) {
  const std::uint64_t most = most_output(in.size(), limits);
  Bytes out;
  std::size_t made = 0;
  while (true) {
    if (made == out.size()) {
      if (made > most) return Error{ErrorCode::too_large, fmt::format("the {} content is a bomb or too large", coding)};
      out.resize(static_cast<std::size_t>(
          std::min<std::uint64_t>(most + 1, std::max<std::uint64_t>({made * 2, in.size() * std::uint64_t{4}, 4096}))));
    }
    const Step step = decoder.step(in, out.data() + made, out.size() - made);
    in.remove_prefix(step.used);
    made += step.made;
    if (step.state == State::bad) return does_not_decode(coding, "does not decode");
    if (step.state == State::done && !decoder.next_member(in)) break;
    if (step.state == State::more && step.used == 0 && step.made == 0 && made < out.size()) {
      return does_not_decode(coding, "ends early");
    }
  }
  if (made > most) return Error{ErrorCode::too_large, fmt::format("the {} content is a bomb or too large", coding)};
  out.resize(made);
  return out;
}

class ZlibDecoder {
 public:
  explicit ZlibDecoder(int window_bits) { inflateInit2(&z_, window_bits); }
  ~ZlibDecoder() { inflateEnd(&z_); }
  ZlibDecoder(const ZlibDecoder&) = delete;
  ZlibDecoder& operator=(const ZlibDecoder&) = delete;

  Step step(ByteView in, char* out, std::size_t size) {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    z_.avail_in = static_cast<uInt>(std::min(in.size(), kMost));
    z_.next_out = reinterpret_cast<Bytef*>(out);
    z_.avail_out = static_cast<uInt>(std::min(size, kMost));
    const uInt in_before = z_.avail_in, out_before = z_.avail_out;
    const int result = inflate(&z_, Z_NO_FLUSH);
    const State state = result == Z_STREAM_END                    ? State::done
                        : result == Z_OK || result == Z_BUF_ERROR ? State::more
                                                                  : State::bad;
    return {state, in_before - z_.avail_in, out_before - z_.avail_out};
  }

  // Members that follow belong to the content; other bytes after the end are ignored, as browsers do.
  bool next_member(ByteView rest) {
    if (!rest.starts_with("\x1F\x8B\x08")) return false;
    inflateReset(&z_);
    return true;
  }

 private:
  z_stream z_{};
};

class BrotliDecoder {
 public:
  BrotliDecoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  ~BrotliDecoder() { BrotliDecoderDestroyInstance(state_); }
  BrotliDecoder(const BrotliDecoder&) = delete;
  BrotliDecoder& operator=(const BrotliDecoder&) = delete;

  Step step(ByteView in, char* out, std::size_t size) {
    std::size_t in_left = in.size(), out_left = size;
    auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* to = reinterpret_cast<std::uint8_t*>(out);
    const auto result = BrotliDecoderDecompressStream(state_, &in_left, &from, &out_left, &to, nullptr);
    const State state = result == BROTLI_DECODER_RESULT_SUCCESS ? State::done
                        : result == BROTLI_DECODER_RESULT_ERROR ? State::bad
                                                                : State::more;
    return {state, in.size() - in_left, size - out_left};
  }
  bool next_member(ByteView) { return false; }

 private:
  BrotliDecoderState* state_;
};

class ZstdDecoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {}
  ~ZstdDecoder() { ZSTD_freeDCtx(context_); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  Step step(ByteView in, char* out, std::size_t size) {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out, size, 0};
    const std::size_t result = ZSTD_decompressStream(context_, &to, &from);
    const State state = ZSTD_isError(result) ? State::bad : result == 0 ? State::done : State::more;
    return {state, from.pos, to.pos};
  }
  bool next_member(ByteView rest) { return rest.starts_with("\x28\xB5\x2F\xFD"); }

 private:
  ZSTD_DCtx* context_;
};

struct FreeDeflate {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

// The common case, at once: one whole member whose trailer says how large it is.
std::optional<Bytes> gunzip_at_once(ByteView in, const DecodeLimits& limits) {
  if (in.size() < 18) return std::nullopt;
  std::uint32_t size = 0;
  for (std::size_t i = 1; i <= 4; ++i) size = size << 8 | static_cast<unsigned char>(in[in.size() - i]);
  if (size > most_output(in.size(), limits)) return std::nullopt;
  thread_local const std::unique_ptr<libdeflate_decompressor, FreeDeflate> decompressor(
      libdeflate_alloc_decompressor());
  Bytes out(size, '\0');
  std::size_t used = 0, made = 0;
  const auto result =
      libdeflate_gzip_decompress_ex(decompressor.get(), in.data(), in.size(), out.data(), out.size(), &used, &made);
  if (result != LIBDEFLATE_SUCCESS || used != in.size() || made != size) return std::nullopt;
  return out;
}

Result<Bytes> gunzip(ByteView in, const DecodeLimits& limits) {
  if (auto out = gunzip_at_once(in, limits)) return *std::move(out);
  ZlibDecoder decoder(16 + MAX_WBITS);
  return run(decoder, "gzip", in, limits);
}

// The standard means zlib's format; some servers send deflate alone.
Result<Bytes> inflate_either(ByteView in, const DecodeLimits& limits) {
  const bool has_head = in.size() >= 2 && (in[0] & 0x0F) == 8 &&
                        (static_cast<unsigned char>(in[0]) * 256 + static_cast<unsigned char>(in[1])) % 31 == 0;
  if (has_head) {
    ZlibDecoder zlib(MAX_WBITS);
    auto out = run(zlib, "deflate", in, limits);
    if (out || out.error().code == ErrorCode::too_large) return out;
  }
  ZlibDecoder raw(-MAX_WBITS);
  return run(raw, "deflate", in, limits);
}

Result<Bytes> decode_one(ByteView in, const std::string& coding, const DecodeLimits& limits) {
  // Servers announce a coding for the empty answers to HEAD and for 304, too.
  if (in.empty()) return Bytes();
  if (coding == "gzip" || coding == "x-gzip") return gunzip(in, limits);
  if (coding == "deflate") return inflate_either(in, limits);
  if (coding == "br") {
    BrotliDecoder decoder;
    return run(decoder, coding, in, limits);
  }
  if (coding == "zstd") {
    ZstdDecoder decoder;
    return run(decoder, coding, in, limits);
  }
  return Error{ErrorCode::unsupported, fmt::format("the content coding {:.40} is not known", coding)};
}

Bytes deflate_with(ByteView bytes, bool gzip) {
  thread_local const std::unique_ptr<libdeflate_compressor, FreeDeflate> compressor(libdeflate_alloc_compressor(6));
  const auto bound = gzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
  const auto compress = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  Bytes out(bound(compressor.get(), bytes.size()), '\0');
  out.resize(compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

Result<Bytes> brotli(ByteView bytes) {
  constexpr int kQuality = 5;
  std::size_t size = BrotliEncoderMaxCompressedSize(bytes.size());
  Bytes out(std::max<std::size_t>(size, 16), '\0');
  size = out.size();
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (!BrotliEncoderCompress(kQuality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, bytes.size(), from, &size,
                             reinterpret_cast<std::uint8_t*>(out.data()))) {
    return Error{ErrorCode::too_large, "brotli cannot encode this content"};
  }
  out.resize(size);
  return out;
}

}  // namespace

Result<Bytes> decode_content(ByteView bytes, const std::vector<std::string>& codings, const DecodeLimits& limits) {
  if (codings.size() > kMaxCodings) return Error{ErrorCode::unsupported, "the content has too many codings"};
  if (codings.empty()) return Bytes(bytes);
  Bytes current;
  for (std::size_t i = codings.size(); i-- > 0;) {
    BA_ASSIGN(current, decode_one(i + 1 == codings.size() ? bytes : ByteView(current), codings[i], limits));
  }
  return current;
}

Result<Bytes> encode_content(ByteView bytes, std::string_view coding) {
  if (coding == "gzip" || coding == "x-gzip") return deflate_with(bytes, true);
  if (coding == "deflate") return deflate_with(bytes, false);
  if (coding == "br") return brotli(bytes);
  if (coding == "zstd") return zstd_compress(bytes);
  return Error{ErrorCode::unsupported, fmt::format("the content coding {:.40} is not known", coding)};
}

}  // namespace blockarch
