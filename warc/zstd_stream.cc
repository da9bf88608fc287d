// Frames of zstd, with the dictionary that may stand in a skippable frame at the beginning, as the specification of
// WARC.zst has it: as it is, or itself compressed.
#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>

#include "warc/compressed_stream.h"

namespace blockarch {
namespace {

constexpr std::size_t kOutput = 2 << 20;
constexpr std::uint32_t kFrameMagic = 0xFD2FB528;
constexpr std::uint32_t kDictionaryMagic = 0x184D2A5D;
constexpr std::size_t kMaxDictionary = 32 << 20;
constexpr std::size_t kSkippableHead = 8;

std::uint32_t little_endian32(ByteView bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

bool is_skippable(ByteView raw) {
  return raw.size() >= kSkippableHead && (little_endian32(raw) & 0xFFFFFFF0) == 0x184D2A50;
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* d) const { ZSTD_freeDCtx(d); }
  void operator()(ZSTD_DDict* d) const { ZSTD_freeDDict(d); }
};
using Context = std::unique_ptr<ZSTD_DCtx, FreeZstd>;

class ZstdStream : public CompressedStream {
 public:
  ZstdStream(RawWindow window, ProblemSink sink, int max_window_log)
      : CompressedStream(std::move(window), std::move(sink), kOutput),
        decoder_(ZSTD_createDCtx()),
        prober_(ZSTD_createDCtx()),
        max_window_log_(max_window_log) {
    for (const Context* context : {&decoder_, &prober_}) {
      ZSTD_DCtx_setParameter(context->get(), ZSTD_d_windowLogMax, max_window_log);
    }
  }

  // Reads the dictionary frame, where there is one.
  Result<void> take_dictionary();

  std::string_view compression_name() const override { return dictionary_ ? "zstd with a dictionary" : "zstd"; }

 protected:
  std::string_view magic() const override { return "\x28\xB5\x2F\xFD"; }
  bool is_start(ByteView raw) const override { return raw.starts_with(magic()) || is_skippable(raw); }

  Result<void> begin_piece() override {
    skipping_ = 0;
    if (is_skippable(raw().view())) {
      skipping_ = little_endian32(raw().view().substr(4));
      raw().consume(kSkippableHead);
      return skip();
    }
    ZSTD_DCtx_reset(decoder_.get(), ZSTD_reset_session_only);
    return {};
  }

  Result<std::size_t> decode(char* out, std::size_t size) override {
    while (true) {
      BA_ASSIGN(const bool some, raw().fill(1));
      ZSTD_inBuffer from{raw().view().data(), raw().view().size(), 0};
      ZSTD_outBuffer to{out, size, 0};
      const std::size_t result = ZSTD_decompressStream(decoder_.get(), &to, &from);
      raw().consume(from.pos);
      if (ZSTD_isError(result)) {
        refuse(result);
        return std::size_t{0};
      }
      if (result == 0) end_piece();
      if (result == 0 || to.pos > 0) return to.pos;
      if (!some && from.pos == 0) {
        fail(ProblemKind::truncated, "the file ends inside a zstd frame");
        return std::size_t{0};
      }
    }
  }

  bool probe(ByteView raw) override {
    char start[64];
    if (is_skippable(raw)) return false;
    ZSTD_DCtx_reset(prober_.get(), ZSTD_reset_session_only);
    ZSTD_inBuffer from{raw.data(), raw.size(), 0};
    ZSTD_outBuffer to{start, sizeof start, 0};
    while (to.pos < to.size) {
      const std::size_t in_before = from.pos, out_before = to.pos;
      const std::size_t result = ZSTD_decompressStream(prober_.get(), &to, &from);
      if (ZSTD_isError(result) || result == 0 || (from.pos == in_before && to.pos == out_before)) break;
    }
    return looks_like_record({start, to.pos});
  }

 private:
  void refuse(std::size_t result) {
    if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge) {
      fail(ProblemKind::too_large,
           fmt::format("a zstd frame needs a window of more than 2^{} bytes of memory: unpack it "
                       "with zstd -d --long=31 first",
                       max_window_log_));
    } else {
      fail(ProblemKind::damaged, fmt::format("a zstd frame does not decode: {}", ZSTD_getErrorName(result)));
    }
  }

  // A skippable frame is a piece without bytes.
  Result<void> skip() {
    while (skipping_ > 0) {
      BA_ASSIGN(const bool some, raw().fill(1));
      if (!some) {
        fail(ProblemKind::truncated, "the file ends inside a skippable frame");
        return {};
      }
      const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(skipping_, raw().view().size()));
      raw().consume(n);
      skipping_ -= n;
    }
    end_piece();
    return {};
  }

  Context decoder_, prober_;
  int max_window_log_;
  std::unique_ptr<ZSTD_DDict, FreeZstd> dictionary_;
  std::uint64_t skipping_ = 0;
};

Result<Bytes> decompress_dictionary(ByteView frame, const std::string& name) {
  Bytes out;
  Context context(ZSTD_createDCtx());
  ZSTD_inBuffer from{frame.data(), frame.size(), 0};
  while (true) {
    char piece[16 * 1024];
    ZSTD_outBuffer to{piece, sizeof piece, 0};
    const std::size_t result = ZSTD_decompressStream(context.get(), &to, &from);
    out.append(piece, to.pos);
    if (ZSTD_isError(result) || out.size() > kMaxDictionary || (result != 0 && to.pos == 0 && from.pos == from.size)) {
      return Error{ErrorCode::invalid, name + " has a dictionary that does not decode"};
    }
    if (result == 0) return out;
  }
}

Result<void> ZstdStream::take_dictionary() {
  const ByteView view = raw().view();
  if (!is_skippable(view) || little_endian32(view) != kDictionaryMagic) return {};
  const std::size_t size = little_endian32(view.substr(4));
  if (size > kMaxDictionary) {
    return Error{ErrorCode::too_large, fmt::format("{} has a dictionary of {} bytes; at most {} are read",
                                                   input().name(), size, kMaxDictionary)};
  }
  raw().consume(kSkippableHead);
  Bytes bytes(size, '\0');
  for (std::size_t have = 0; have < size;) {
    BA_ASSIGN(const std::size_t n, raw().read(bytes.data() + have, size - have));
    if (n == 0) return Error{ErrorCode::invalid, input().name() + " ends inside its dictionary"};
    have += n;
  }
  if (bytes.starts_with(magic())) {
    BA_ASSIGN(bytes, decompress_dictionary(bytes, input().name()));
  }
  dictionary_.reset(ZSTD_createDDict(bytes.data(), bytes.size()));
  if (!dictionary_) return Error{ErrorCode::invalid, input().name() + " has a dictionary that cannot be used"};
  ZSTD_DCtx_refDDict(decoder_.get(), dictionary_.get());
  ZSTD_DCtx_refDDict(prober_.get(), dictionary_.get());
  return {};
}

}  // namespace

bool is_zstd(ByteView bytes) {
  return (bytes.size() >= 4 && little_endian32(bytes) == kFrameMagic) || is_skippable(bytes);
}

Result<std::unique_ptr<PieceStream>> zstd_stream(RawWindow window, ProblemSink sink, int max_window_log) {
  auto stream = std::make_unique<ZstdStream>(std::move(window), std::move(sink), max_window_log);
  BA_TRY(stream->take_dictionary());
  return std::unique_ptr<PieceStream>(std::move(stream));
}

}  // namespace blockarch
