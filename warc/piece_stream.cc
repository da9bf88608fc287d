#include "warc/piece_stream.h"

#include <algorithm>
#include <cstring>

#include "warc/record_head.h"
#include "warc/text.h"

namespace blockarch {

bool looks_like_record(ByteView bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  return begins_with_warc(bytes) || looks_like_arc_line(take_line(bytes));
}

Result<bool> PieceStream::fill(std::size_t want) {
  if (pushed_.empty()) return piece_fill(want);
  if (pushed_.size() >= want) return true;
  // Both sides of the seam are put together; there is little left of the pushed bytes, and `want` is small.
  const std::size_t missing = want - pushed_.size();
  BA_TRY(piece_fill(missing));
  const ByteView rest = piece_view().substr(0, missing);
  Bytes joined(pushed_);
  joined.append(rest);
  piece_consume(rest.size());
  pushed_owner_ = RecordBody(joined);
  pushed_ = pushed_owner_.view();
  return pushed_.size() >= want;
}

void PieceStream::consume(std::size_t n) {
  if (pushed_.empty()) return piece_consume(n);
  pushed_.remove_prefix(n);
  if (pushed_.empty()) pushed_owner_ = RecordBody();
}

Result<std::size_t> PieceStream::read(char* out, std::size_t size) {
  if (pushed_.empty()) return piece_read(out, size);
  const std::size_t n = std::min(size, pushed_.size());
  std::memcpy(out, pushed_.data(), n);
  consume(n);
  return n;
}

Result<bool> PieceStream::next_piece() {
  pushed_ = {};
  pushed_owner_ = RecordBody();
  return go_to_next_piece();
}

void PieceStream::push_back(RecordBody bytes, std::size_t from) {
  Bytes joined;
  if (!pushed_.empty()) {
    joined = Bytes(bytes.view().substr(from));
    joined.append(pushed_);
    bytes = RecordBody(joined);
    from = 0;
  }
  pushed_owner_ = std::move(bytes);
  pushed_ = pushed_owner_.view().substr(from);
  if (pushed_.empty()) pushed_owner_ = RecordBody();
}

Place PieceStream::place() const {
  Place place = piece_place();
  std::uint64_t& at = compressed() ? place.member_offset : place.offset;
  at -= std::min<std::uint64_t>(at, pushed_.size());
  return place;
}

std::optional<std::uint64_t> PieceStream::rest() const {
  const auto rest = piece_rest();
  if (!rest) return rest;
  return *rest + pushed_.size();
}

std::uint64_t PieceStream::used_since(Place begin) const {
  if (!compressed()) return place().offset - begin.offset;
  const bool whole = begin.member_offset == 0 && pushed_.empty() && piece_ended();
  return whole && begin.offset <= raw_position() ? raw_position() - begin.offset : 0;
}

void PieceStream::report(ProblemKind kind, std::uint64_t offset, std::string message) const {
  if (sink_) sink_(Problem{kind, {}, offset, std::move(message)});
}

namespace {

class PlainStream : public PieceStream {
 public:
  PlainStream(RawWindow window, ProblemSink sink) : PieceStream(std::move(sink)), raw_(std::move(window)) {}

  std::uint64_t raw_position() const override { return raw_.offset(); }
  bool compressed() const override { return false; }
  std::string_view compression_name() const override { return {}; }
  const ByteInput& input() const override { return raw_.input(); }

 protected:
  std::optional<std::uint64_t> piece_rest() const override {
    const auto size = raw_.input().size();
    if (!size) return std::nullopt;
    // A file that grows while it is read has more than it said.
    return std::max<std::uint64_t>(*size - std::min(*size, raw_.offset()), raw_.view().size());
  }
  ByteView piece_view() const override { return raw_.view(); }
  Result<bool> piece_fill(std::size_t want) override { return raw_.fill(want); }
  void piece_consume(std::size_t n) override { raw_.consume(n); }
  Result<std::size_t> piece_read(char* out, std::size_t size) override { return raw_.read(out, size); }
  Result<bool> go_to_next_piece() override {
    while (!raw_.view().empty() || !raw_.ended()) {
      raw_.consume(raw_.view().size());
      BA_TRY(raw_.fill(1));
    }
    return false;
  }
  Place piece_place() const override { return {raw_.offset(), 0}; }

 private:
  RawWindow raw_;
};

}  // namespace

std::unique_ptr<PieceStream> plain_stream(RawWindow window, ProblemSink sink) {
  return std::make_unique<PlainStream>(std::move(window), std::move(sink));
}

}  // namespace blockarch
