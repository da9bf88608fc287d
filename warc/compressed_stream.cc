#include "warc/compressed_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace blockarch {
namespace {

// What is decoded of a piece that nobody wants any more, to find its end. A bomb is left behind by searching.
constexpr std::uint64_t kMaxDropped = 16 << 20;
// The compressed bytes that must give the beginning of a record when a piece is looked for.
constexpr std::size_t kProbe = 256 * 1024;

}  // namespace

CompressedStream::CompressedStream(RawWindow window, ProblemSink sink, std::size_t output_size)
    : PieceStream(std::move(sink)), raw_(std::move(window)), output_size_(output_size), output_(new char[output_size]) {
  assert(output_size >= kMaxFill);
}

Result<bool> CompressedStream::piece_fill(std::size_t want) {
  assert(want <= kMaxFill);
  while (end_ - begin_ < want && !ended_) {
    if (begin_ + want > output_size_) {
      std::memmove(output_.get(), output_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    // Not more than is asked for, roughly: a body that follows is decoded into its own place.
    const std::size_t room = std::min(output_size_ - end_, std::max<std::size_t>(want, 32 * 1024));
    BA_ASSIGN(const std::size_t n, decode(output_.get() + end_, room));
    end_ += n;
  }
  return end_ - begin_ >= want;
}

void CompressedStream::piece_consume(std::size_t n) {
  begin_ += n;
  position_ += n;
  if (begin_ == end_) begin_ = end_ = 0;
}

Result<std::size_t> CompressedStream::piece_read(char* out, std::size_t size) {
  std::size_t n = std::min(size, end_ - begin_);
  if (n > 0) {
    std::memcpy(out, output_.get() + begin_, n);
    piece_consume(n);
    return n;
  }
  if (ended_) return n;
  BA_ASSIGN(n, decode(out, size));
  position_ += n;
  return n;
}

void CompressedStream::fail(ProblemKind kind, std::string message) {
  report(kind, piece_offset_, message);
  set_damaged(std::move(message));
  ended_ = true;
  searching_ = true;
}

// To the end of the current piece, or, where that is far away, to somewhere in it.
Result<void> CompressedStream::leave_piece() {
  begin_ = end_ = 0;
  for (std::uint64_t dropped = 0; !ended_;) {
    BA_ASSIGN(const std::size_t n, decode(output_.get(), output_size_));
    dropped += n;
    if (dropped <= kMaxDropped) continue;
    ended_ = true;
    searching_ = true;
  }
  return {};
}

// Some file systems and writers fill a file up with zeros.
Result<bool> CompressedStream::only_zeros_follow() {
  BA_TRY(raw_.fill(raw_.capacity()));
  return raw_.ended() && raw_.view().find_first_not_of('\0') == ByteView::npos;
}

// To the next piece that begins with a record; false where there is none.
Result<bool> CompressedStream::find_piece() {
  while (true) {
    BA_ASSIGN(const bool full, raw_.fill(kProbe));
    const ByteView view = raw_.view();
    if (view.empty()) return false;
    const std::size_t at = view.find(magic());
    if (at == ByteView::npos) {
      raw_.consume(full ? view.size() - magic().size() + 1 : view.size());
      continue;
    }
    raw_.consume(at);
    BA_TRY(raw_.fill(kProbe));
    if (is_start(raw_.view()) && probe(raw_.view().substr(0, kProbe))) return true;
    raw_.consume(1);
  }
}

Result<bool> CompressedStream::go_to_next_piece() {
  BA_TRY(leave_piece());
  BA_TRY(raw_.fill(64));
  if (!searching_ && !raw_.view().empty() && !is_start(raw_.view())) {
    BA_ASSIGN(const bool zeros, only_zeros_follow());
    if (zeros) {
      raw_.consume(raw_.view().size());
    } else {
      set_damaged(fmt::format("there is no {} here", compression_name()));
      report(ProblemKind::damaged, raw_.offset(), damage());
      searching_ = true;
    }
  }
  if (searching_) {
    // zstd takes nothing of a frame that it refuses at once, which must not be found again.
    if (begun_ && raw_.offset() == piece_offset_ && !raw_.view().empty()) raw_.consume(1);
    BA_ASSIGN(const bool found, find_piece());
    if (!found) return false;
  }
  if (raw_.view().empty()) return false;
  set_damaged({});
  searching_ = ended_ = false;
  piece_offset_ = raw_.offset();
  position_ = 0;
  begun_ = true;
  BA_TRY(begin_piece());
  return true;
}

}  // namespace blockarch
