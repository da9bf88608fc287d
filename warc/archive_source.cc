// How records are found. A record begins where the last one ended, or at the beginning of a piece. Its end is believed
// only if what follows is a record, the end of the piece or nothing; else its length was wrong, and the next record is
// looked for, in its body first, as a length that is too large has swallowed it.
#include "warc/archive_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "warc/body_builder.h"
#include "warc/text.h"

namespace blockarch {
namespace {

// What is looked through for the next record before the rest of a compressed piece is given up: it may be a bomb.
constexpr std::uint64_t kMaxSearchInPiece = 16 << 20;
constexpr std::size_t kSearchWindow = 64 * 1024;
// Enough of a record to see that it is one. An ARC line has a URL in it.
constexpr std::size_t kWarcStart = 64;
constexpr std::size_t kArcStart = 4096;
constexpr std::uint64_t kMaxJoined = 64 << 20;
constexpr std::size_t kHeadStep = 16 * 1024;

using MaybeHead = std::optional<RecordHead>;
using MaybeRecord = std::optional<ArchiveRecord>;

class ArchiveSource : public RecordReader::Source {
 public:
  ArchiveSource(std::unique_ptr<PieceStream> stream, const ReaderOptions& options)
      : stream_(std::move(stream)), options_(options) {}

  Result<void> detect();
  Result<std::optional<ArchiveRecord>> next() override;
  const ByteInput& input() const override { return stream_->input(); }
  std::string format() const override;

 private:
  Result<bool> to_record();
  Result<void> search();
  Result<std::optional<ArchiveRecord>> read_record();
  Result<std::optional<RecordHead>> read_warc_head(Place place);
  Result<std::optional<RecordHead>> read_arc_head(Place place);
  Result<bool> read_body(RecordHead& head, Place place);
  Result<bool> can_read(const RecordHead& head, Place place);
  Result<bool> continues_in_next_piece();
  Result<bool> ends_well();
  void look_into(RecordBody body);
  Result<void> skip(std::uint64_t size);
  void lose(ProblemKind kind, Place place, std::string message);
  void report(ProblemKind kind, Place place, std::string message) const;
  bool is_record_start(ByteView bytes) const;
  std::size_t find_record(ByteView bytes, bool from_line_start, std::size_t margin) const;
  std::size_t start_size() const { return arc_ ? kArcStart : kWarcStart; }

  std::unique_ptr<PieceStream> stream_;
  ReaderOptions options_;
  bool arc_ = false, empty_ = false;
  std::uint64_t searched_twice_ = 0;
  bool lost_ = false;  // the next byte is not where a record is expected; why has been reported
  ArcFormat arc_format_;
};

void ArchiveSource::report(ProblemKind kind, Place place, std::string message) const {
  if (!options_.on_problem) return;
  if (place.member_offset > 0) message += fmt::format(" (at {} in the decompressed member)", place.member_offset);
  options_.on_problem(Problem{kind, input().name(), place.offset, std::move(message)});
}

void ArchiveSource::lose(ProblemKind kind, Place place, std::string message) {
  report(kind, place, std::move(message));
  lost_ = true;
}

std::string ArchiveSource::format() const {
  if (empty_) return "empty";
  std::string name = arc_ ? "ARC" : "WARC";
  if (stream_->compressed()) name.append(", ").append(stream_->compression_name());
  return name;
}

// --- finding records ---

bool ArchiveSource::is_record_start(ByteView bytes) const {
  if (begins_with_warc(bytes)) return true;
  return arc_ && looks_like_arc_line(take_line(bytes));
}

// Where a line begins a record for certain; npos where none does. A line that begins in the last `margin` bytes is not
// looked at.
std::size_t ArchiveSource::find_record(ByteView bytes, bool from_line_start, std::size_t margin) const {
  const std::size_t limit = bytes.size() - std::min(bytes.size(), margin);
  const std::size_t first_end = from_line_start ? 0 : bytes.find('\n');
  if (first_end == ByteView::npos) return ByteView::npos;
  for (std::size_t at = from_line_start ? 0 : first_end + 1; at < limit; ++at) {
    ByteView rest = bytes.substr(at);
    if (is_warc_version_line(rest)) {
      take_line(rest);
      if (take_line(rest).find(':') != ByteView::npos) return at;
    } else if (arc_ && looks_like_arc_line(take_line(rest))) {
      return at;
    }
    at = bytes.find('\n', at);
    if (at == ByteView::npos) break;
    if (at + 1 == bytes.size()) break;
  }
  return ByteView::npos;
}

// Consumes up to the next record of this piece, or all of it. The current position is no record.
Result<void> ArchiveSource::search() {
  std::uint64_t passed = 0;
  bool line_start = false;
  while (true) {
    BA_ASSIGN(const bool full, stream_->fill(kSearchWindow));
    const ByteView view = stream_->view();
    if (view.empty()) return {};
    const std::size_t margin = full ? kArcStart : 0;
    const std::size_t found = find_record(view, line_start, margin);
    if (found != ByteView::npos) {
      stream_->consume(found);
      lost_ = false;
      return {};
    }
    // Up to the last line that was not looked at.
    const std::size_t limit = view.size() - margin;
    std::size_t used = limit;
    if (full) {
      const std::size_t line = view.find('\n', limit - 1);
      used = line == ByteView::npos ? view.size() : line + 1;
      line_start = line != ByteView::npos;
    }
    stream_->consume(used);
    passed += used;
    if (stream_->compressed() && passed > kMaxSearchInPiece) {
      BA_ASSIGN(const bool more, stream_->next_piece());
      lost_ = false;
      if (!more) return {};
      return {};
    }
  }
}

// To the first byte of the next record; false at the end of the input.
Result<bool> ArchiveSource::to_record() {
  while (true) {
    BA_ASSIGN(const bool some, stream_->fill(1));
    if (!some) {
      BA_ASSIGN(const bool more, stream_->next_piece());
      lost_ = false;
      if (!more) return false;
      continue;
    }
    if (lost_) {
      BA_TRY(search());
      continue;
    }
    const ByteView view = stream_->view();
    if (const std::size_t blanks = std::min(view.find_first_not_of("\r\n"), view.size()); blanks > 0) {
      stream_->consume(blanks);
      continue;
    }
    BA_TRY(stream_->fill(start_size()));
    if (is_record_start(stream_->view())) return true;
    lose(ProblemKind::damaged, stream_->place(), "there is no record here");
  }
}

// --- one record ---

Result<std::optional<RecordHead>> ArchiveSource::read_warc_head(Place place) {
  ByteView line = stream_->view();
  const bool whole_line = line.find('\n') != ByteView::npos;
  if (whole_line && !is_warc_version_line(line)) {
    lose(ProblemKind::unsupported, place, quoted(take_line(line)) + " is no version of WARC");
    return MaybeHead();
  }
  std::size_t end = ByteView::npos, searched = 0;
  while (true) {
    const ByteView view = stream_->view();
    end = find_head_end(view.substr(0, kMaxRecordHead), searched);
    if (end != ByteView::npos) break;
    searched = std::min(view.size(), kMaxRecordHead);
    if (view.size() >= kMaxRecordHead) {
      lose(ProblemKind::too_large, place, fmt::format("a head of more than {} bytes", kMaxRecordHead));
      return MaybeHead();
    }
    BA_ASSIGN(const bool more, stream_->fill(std::min(view.size() + kHeadStep, kMaxRecordHead)));
    if (!more && stream_->view().size() == searched) {
      if (!stream_->damaged()) lose(ProblemKind::truncated, place, "the file ends inside a record's head");
      lost_ = true;
      return MaybeHead();
    }
  }
  RecordHead head = parse_warc_head(stream_->view().substr(0, end));
  stream_->consume(end);
  return MaybeHead(std::move(head));
}

Result<std::optional<RecordHead>> ArchiveSource::read_arc_head(Place place) {
  std::size_t end = stream_->view().find('\n');
  if (end == ByteView::npos) {
    BA_TRY(stream_->fill(kSearchWindow));
    end = stream_->view().find('\n');
  }
  if (end == ByteView::npos) {
    const bool longer = stream_->view().size() >= kSearchWindow;
    lose(longer ? ProblemKind::too_large : ProblemKind::truncated, place,
         longer ? "a record's line has no end" : "the file ends inside a record's line");
    return MaybeHead();
  }
  ByteView line = stream_->view();
  RecordHead head = parse_arc_line(take_line(line), arc_format_);
  stream_->consume(end + 1);
  return MaybeHead(std::move(head));
}

Result<void> ArchiveSource::skip(std::uint64_t size) {
  while (size > 0) {
    BA_ASSIGN(const bool some, stream_->fill(1));
    if (!some) break;
    const std::uint64_t n = std::min<std::uint64_t>(size, stream_->view().size());
    stream_->consume(static_cast<std::size_t>(n));
    size -= n;
  }
  return {};
}

// Whether the length can be believed so far and the body kept. Where not, the reader stands where it goes on.
Result<bool> ArchiveSource::can_read(const RecordHead& head, Place place) {
  if (!head.length) {
    lose(ProblemKind::damaged, place, "the record does not say how long it is");
    return false;
  }
  const auto rest = stream_->rest();
  if (rest && *rest < *head.length) {
    lose(ProblemKind::truncated, place,
         fmt::format("the record says {} bytes, but only {} follow in the file", *head.length, *rest));
    return false;
  }
  if (*head.length > options_.max_body) {
    report(ProblemKind::too_large, place,
           fmt::format("a record of {} bytes; at most {} are read", *head.length, options_.max_body));
    // Only the size of the file makes such a length worth believing.
    lost_ = !rest;
    if (rest) BA_TRY(skip(*head.length));
    return false;
  }
  return true;
}

// A piece ended inside a body. Compressors that cut anywhere (bgzip, cat of parts) go on in the next one; where that
// begins a record, this one was cut short.
Result<bool> ArchiveSource::continues_in_next_piece() {
  if (stream_->damaged()) return false;
  BA_ASSIGN(const bool more, stream_->next_piece());
  if (!more) return false;
  BA_TRY(stream_->fill(start_size()));
  return !is_record_start(stream_->view());
}

Result<bool> ArchiveSource::read_body(RecordHead& head, Place place) {
  BA_ASSIGN(const bool readable, can_read(head, place));
  if (!readable) return false;
  BA_ASSIGN(BodyBuilder builder, BodyBuilder::create(*head.length, options_));
  BA_TRY(builder.take(*stream_));
  while (!builder.complete() && !builder.is_bomb()) {
    BA_ASSIGN(const bool more, continues_in_next_piece());
    if (!more) break;
    BA_TRY(builder.take(*stream_));
  }
  if (builder.is_bomb()) {
    report(ProblemKind::too_large, place,
           fmt::format("{} bytes came out of so few that this is taken for a bomb", builder.have()));
    BA_TRY(stream_->next_piece());
    return false;
  }
  const bool complete = builder.complete();
  const std::uint64_t have = builder.have();
  BA_ASSIGN(head.record.body, builder.finish());
  if (complete) return true;
  // A damaged piece has been reported with its reason.
  if (!stream_->damaged()) {
    report(ProblemKind::truncated, place,
           fmt::format("the record says {} bytes, but only {} follow", *head.length, have));
    if (!stream_->compressed()) look_into(std::move(head.record.body));
  }
  return false;
}

// A body whose length is wrong may hold the records that follow it, so it is searched again. What is searched twice is
// bounded: a file can be full of such lengths.
void ArchiveSource::look_into(RecordBody body) {
  lost_ = true;
  const std::uint64_t size = body.size() + stream_->pushed_size();
  if (stream_->pushed_size() > 0 && size > kMaxJoined) return;
  if (searched_twice_ + size > kMaxJoined + 2 * stream_->raw_position()) return;
  searched_twice_ += size;
  stream_->push_back(std::move(body), 0);
}

// Whether what follows a body is what may follow one.
Result<bool> ArchiveSource::ends_well() {
  while (true) {
    BA_ASSIGN(const bool some, stream_->fill(1));
    if (!some) return true;
    const ByteView view = stream_->view();
    const std::size_t blanks = std::min(view.find_first_not_of("\r\n"), view.size());
    if (blanks == 0) break;
    stream_->consume(blanks);
  }
  if (is_record_start(stream_->view())) return true;
  BA_TRY(stream_->fill(start_size()));
  return is_record_start(stream_->view());
}

Result<std::optional<ArchiveRecord>> ArchiveSource::read_record() {
  const Place place = stream_->place();
  const bool is_arc = arc_ && !begins_with_warc(stream_->view());
  auto read_head = is_arc ? read_arc_head(place) : read_warc_head(place);
  BA_ASSIGN(std::optional<RecordHead> head, std::move(read_head));
  if (!head) return MaybeRecord();
  BA_ASSIGN(const bool whole, read_body(*head, place));
  if (!whole) return MaybeRecord();
  ArchiveRecord& record = head->record;
  BA_ASSIGN(const bool good_end, ends_well());
  if (stream_->damaged()) return MaybeRecord();
  if (!good_end) {
    report(ProblemKind::damaged, place,
           fmt::format("the record says {} bytes, but no record follows it there", *head->length));
    look_into(std::move(record.body));
    return MaybeRecord();
  }
  bool lost = false;
  for (RecordHead::Defect& defect : head->defects) {
    lost = lost || loses_record(defect.kind);
    report(defect.kind, place, std::move(defect.message));
  }
  if (lost) return MaybeRecord();
  if (is_arc && record.type == RecordType::warcinfo) arc_format_ = parse_arc_format(record.body.view());
  if (is_arc && record.type == RecordType::resource && record.is_http()) record.type = RecordType::response;
  record.version = is_arc ? arc_format_.version : record.version;
  record.source = input().name();
  record.offset = place.offset;
  record.member_offset = place.member_offset;
  record.stored_size = stream_->used_since(place);
  return MaybeRecord(std::move(record));
}

Result<std::optional<ArchiveRecord>> ArchiveSource::next() {
  while (true) {
    BA_ASSIGN(const bool found, to_record());
    if (!found) return MaybeRecord();
    BA_ASSIGN(std::optional<ArchiveRecord> record, read_record());
    if (record) return record;
  }
}

// --- which kind of file ---

Result<void> ArchiveSource::detect() {
  constexpr int kPiecesToTry = 64;
  std::string begins;
  for (int i = 0; i < kPiecesToTry; ++i) {
    if (i > 0 || stream_->compressed()) {
      BA_ASSIGN(const bool more, stream_->next_piece());
      if (!more) break;
    }
    BA_TRY(stream_->fill(kSearchWindow));
    const ByteView all = stream_->view();
    ByteView view = all.substr(std::min(all.find_first_not_of("\r\n"), all.size()));
    if (all.empty() && !stream_->compressed()) {
      empty_ = true;
      return {};
    }
    if (begins.empty() && !view.empty()) begins = quoted(view.substr(0, 16));
    if (begins_with_warc(view)) return {};
    arc_ = looks_like_arc_line(take_line(view));
    if (arc_) return {};
    if (find_record(all, false, 0) != ByteView::npos) return {};
    if (!stream_->compressed()) break;
  }
  const std::string& name = input().name();
  if (begins.empty() && stream_->damaged()) {
    return Error{ErrorCode::invalid, name + " cannot be read: " + stream_->damage()};
  }
  std::string why = begins.empty() ? "there is nothing in it" : "it begins with " + begins;
  if (stream_->compressed() && !begins.empty()) {
    why = fmt::format("what is in the {} begins with {}", stream_->compression_name(), begins);
  }
  return Error{ErrorCode::invalid, name + " is no web archive: " + why};
}

}  // namespace

Result<std::unique_ptr<RecordReader::Source>> archive_source(RawWindow window, const ReaderOptions& options) {
  ProblemSink sink;
  if (options.on_problem) {
    sink = [on_problem = options.on_problem, name = window.input().name()](const Problem& problem) {
      Problem named = problem;
      named.file = name;
      on_problem(named);
    };
  }
  const ByteView start = window.view();
  std::unique_ptr<PieceStream> stream;
  if (start.starts_with("\x1F\x8B")) {
    stream = gzip_stream(std::move(window), std::move(sink));
  } else if (is_zstd(start)) {
    BA_ASSIGN(stream, zstd_stream(std::move(window), std::move(sink), options.max_zstd_window_log));
  } else {
    stream = plain_stream(std::move(window), std::move(sink));
  }
  auto source = std::make_unique<ArchiveSource>(std::move(stream), options);
  BA_TRY(source->detect());
  return std::unique_ptr<RecordReader::Source>(std::move(source));
}

}  // namespace blockarch
