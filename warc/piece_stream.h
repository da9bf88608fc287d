// An archive's bytes after decompression. They come in pieces: a gzip member or a zstd frame is one, a plain file is
// one as a whole. Pieces usually hold one record each, which is what lets a reader go on after damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "warc/problem.h"
#include "warc/raw_window.h"
#include "warc/reader.h"

namespace blockarch {

// The most that fill() can be asked for.
inline constexpr std::size_t kMaxFill = kMaxRecordHead + 64 * 1024;

// True where the bytes begin like a record of a WARC or ARC file. They may be cut after 64.
bool looks_like_record(ByteView bytes);
bool is_zstd(ByteView bytes);

struct Place {
  std::uint64_t offset = 0;         // ArchiveRecord::offset
  std::uint64_t member_offset = 0;  // ArchiveRecord::member_offset
};

class PieceStream {
 public:
  virtual ~PieceStream() = default;

  // The bytes of this piece that are in memory and not consumed.
  ByteView view() const { return pushed_.empty() ? piece_view() : pushed_; }
  // Tries to have at least `want` bytes in view; false where the piece ends, well or damaged, before.
  Result<bool> fill(std::size_t want);
  void consume(std::size_t n);
  // At least one byte; 0 at the end of the piece.
  Result<std::size_t> read(char* out, std::size_t size);
  // Goes to the next piece and drops what is left of this one; false at the end of the input.
  Result<bool> next_piece();
  // Puts bytes that were taken back before what comes next.
  void push_back(RecordBody bytes, std::size_t from);

  std::size_t pushed_size() const { return pushed_.size(); }

  // Of the first byte of view().
  Place place() const;
  // The bytes that can still come in this piece, where that is known.
  std::optional<std::uint64_t> rest() const;
  // How far the input has been used.
  virtual std::uint64_t raw_position() const = 0;
  // The bytes of the input that a record from `begin` to here has, where that can be told; else 0.
  std::uint64_t used_since(Place begin) const;
  // True where this piece ended early. That has been reported; damage() is the message.
  bool damaged() const { return !damage_.empty(); }
  const std::string& damage() const { return damage_; }
  virtual bool compressed() const = 0;
  virtual std::string_view compression_name() const = 0;
  virtual const ByteInput& input() const = 0;

 protected:
  explicit PieceStream(ProblemSink sink) : sink_(std::move(sink)) {}
  virtual ByteView piece_view() const = 0;
  virtual Result<bool> piece_fill(std::size_t want) = 0;
  virtual void piece_consume(std::size_t n) = 0;
  virtual Result<std::size_t> piece_read(char* out, std::size_t size) = 0;
  virtual Result<bool> go_to_next_piece() = 0;
  // These as if nothing had been pushed back.
  virtual std::optional<std::uint64_t> piece_rest() const { return std::nullopt; }
  virtual bool piece_ended() const { return false; }
  virtual Place piece_place() const = 0;

  void report(ProblemKind kind, std::uint64_t offset, std::string message) const;
  void set_damaged(std::string message) { damage_ = std::move(message); }

 private:
  ProblemSink sink_;
  RecordBody pushed_owner_;
  ByteView pushed_;
  std::string damage_;
};

// Each takes a window on an input at its beginning. The sink gets problems without a file name.
std::unique_ptr<PieceStream> plain_stream(RawWindow window, ProblemSink sink);
std::unique_ptr<PieceStream> gzip_stream(RawWindow window, ProblemSink sink);
Result<std::unique_ptr<PieceStream>> zstd_stream(RawWindow window, ProblemSink sink, int max_window_log);

}  // namespace blockarch
