// What gzip and zstd have in common: pieces that are found by a magic number, decoded into a window, and found again
// after damage by trying whatever looks like the beginning of one.
#pragma once

#include <memory>
#include <string>

#include "warc/piece_stream.h"

namespace blockarch {

class CompressedStream : public PieceStream {
 public:
  std::uint64_t raw_position() const override { return raw_.offset(); }
  bool compressed() const override { return true; }
  const ByteInput& input() const override { return raw_.input(); }

 protected:
  CompressedStream(RawWindow window, ProblemSink sink, std::size_t output_size);

  ByteView piece_view() const override { return {output_.get() + begin_, end_ - begin_}; }
  Result<bool> piece_fill(std::size_t want) override;
  void piece_consume(std::size_t n) override;
  Result<std::size_t> piece_read(char* out, std::size_t size) override;
  Result<bool> go_to_next_piece() override;
  Place piece_place() const override { return {piece_offset_, position_}; }
  bool piece_ended() const override { return ended_ && begin_ == end_; }

  // Begins the piece at the window's first byte, where is_start() holds. May decode all of it into output().
  virtual Result<void> begin_piece() = 0;
  // Decodes at least one byte, or ends the piece with end_piece() or fail().
  virtual Result<std::size_t> decode(char* out, std::size_t size) = 0;
  virtual std::string_view magic() const = 0;
  virtual bool is_start(ByteView raw) const = 0;
  // Whether the piece that begins at these bytes begins like a record.
  virtual bool probe(ByteView raw) = 0;

  void end_piece() { ended_ = true; }
  void fail(ProblemKind kind, std::string message);
  char* output() { return output_.get(); }
  std::size_t output_size() const { return output_size_; }
  void set_output(std::size_t size) { end_ = size; }
  RawWindow& raw() { return raw_; }

 private:
  Result<void> leave_piece();
  Result<bool> find_piece();
  Result<bool> only_zeros_follow();

  RawWindow raw_;
  std::size_t output_size_;
  std::unique_ptr<char[]> output_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t piece_offset_ = 0, position_ = 0;
  bool begun_ = false;
  bool ended_ = true;       // nothing more will be decoded in this piece
  bool searching_ = false;  // the next piece is not at the window's first byte
};

}  // namespace blockarch
