// A member that is small, as almost all are, is decoded at once by libdeflate, which is two to three times as fast as
// zlib but needs all of the input and room for all of the output. Every other one goes through zlib bit by bit; so does
// one that libdeflate refuses, as only zlib can say why and give what comes before the damage.
#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "warc/compressed_stream.h"

namespace blockarch {
namespace {

constexpr std::size_t kOutput = 8 << 20;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

class Inflater {
 public:
  Inflater() {
    // 16: with a gzip head. Fails only for want of memory; inflate() then says so.
    inflateInit2(&z_, 16 + MAX_WBITS);
  }
  ~Inflater() { inflateEnd(&z_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void reset() { inflateReset(&z_); }
  const char* message() const { return z_.msg != nullptr ? z_.msg : "it is damaged"; }

  struct Step {
    int result;
    std::size_t used, made;
  };
  Step step(ByteView in, char* out, std::size_t size) {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    z_.avail_in = static_cast<uInt>(std::min(in.size(), kMost));
    z_.next_out = reinterpret_cast<Bytef*>(out);
    z_.avail_out = static_cast<uInt>(std::min(size, kMost));
    const uInt in_before = z_.avail_in, out_before = z_.avail_out;
    const int result = inflate(&z_, Z_NO_FLUSH);
    return {result, in_before - z_.avail_in, out_before - z_.avail_out};
  }

 private:
  z_stream z_{};
};

class GzipStream : public CompressedStream {
 public:
  GzipStream(RawWindow window, ProblemSink sink)
      : CompressedStream(std::move(window), std::move(sink), kOutput), whole_(libdeflate_alloc_decompressor()) {}

  std::string_view compression_name() const override { return "gzip"; }

 protected:
  std::string_view magic() const override { return "\x1F\x8B\x08"; }
  bool is_start(ByteView raw) const override {
    return raw.size() >= 10 && raw.starts_with(magic()) && (static_cast<unsigned char>(raw[3]) & 0xE0) == 0;
  }

  Result<void> begin_piece() override {
    if (decode_whole()) return {};
    // It may only be that the end of the member has not been read.
    if (!raw().ended() && raw().view().size() < raw().capacity() && !was_too_long_) {
      BA_TRY(raw().fill(raw().capacity()));
      if (decode_whole()) return {};
    }
    inflater_.reset();
    return {};
  }

  Result<std::size_t> decode(char* out, std::size_t size) override {
    while (true) {
      BA_ASSIGN(const bool some, raw().fill(1));
      const auto [result, used, made] = inflater_.step(raw().view(), out, size);
      raw().consume(used);
      if (result == Z_STREAM_END) end_piece();
      if (result == Z_STREAM_END || made > 0) return made;
      if (!some && used == 0) {
        fail(ProblemKind::truncated, "the file ends inside a gzip member");
        return made;
      }
      if (result != Z_OK && result != Z_BUF_ERROR) {
        fail(ProblemKind::damaged, std::string("a gzip member does not decode: ") + inflater_.message());
        return made;
      }
    }
  }

  bool probe(ByteView raw) override {
    char start[64];
    prober_.reset();
    std::size_t made = 0;
    while (made < sizeof start) {
      const auto step = prober_.step(raw, start + made, sizeof start - made);
      raw.remove_prefix(step.used);
      made += step.made;
      if (step.result != Z_OK || step.used + step.made == 0) break;
    }
    return looks_like_record({start, made});
  }

 private:
  bool decode_whole() {
    std::size_t used = 0, made = 0;
    const auto result = libdeflate_gzip_decompress_ex(whole_.get(), raw().view().data(), raw().view().size(), output(),
                                                      output_size(), &used, &made);
    was_too_long_ = result == LIBDEFLATE_INSUFFICIENT_SPACE;
    if (result != LIBDEFLATE_SUCCESS) return false;
    raw().consume(used);
    set_output(made);
    end_piece();
    return true;
  }

  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> whole_;
  bool was_too_long_ = false;
  Inflater inflater_, prober_;
};

}  // namespace

std::unique_ptr<PieceStream> gzip_stream(RawWindow window, ProblemSink sink) {
  return std::make_unique<GzipStream>(std::move(window), std::move(sink));
}

}  // namespace blockarch
