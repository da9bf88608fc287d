#include "segment/text_lines.h"

#include <algorithm>

#include "segment/open_tags.h"
#include "segment/tag_scanner.h"

namespace blockarch {
namespace {

// Text and pictures between two ends of lines, put together to a TextLine.
class LineMaker {
 public:
  LineMaker(ByteView page, std::string_view charset) : page_(page), counter_(charset) {}

  void add_text(const Piece& piece) {
    const std::uint32_t length = counter_.count(page_.substr(piece.begin, piece.end - piece.begin));
    if (length > 0) add(piece, length);
  }
  void add_picture(const Piece& piece) {
    add(piece, kPictureLength);
    line_.picture = true;
  }
  void mark_heading(std::uint8_t rank) { line_.heading = rank; }
  bool is_empty() const { return line_.length == 0; }

  // The depth changed to `depth` by what ends at `at`; the shallowest place, the last of them, is where a cut goes.
  void set_depth(std::uint32_t depth, std::uint32_t at) {
    depth_ = depth;
    if (!is_empty() || depth > gap_) return;
    gap_ = depth;
    cut_ = at;
  }
  // What stands before `at` is no part of the text: the head of the page.
  void begin_text(std::uint32_t at) {
    if (result_.lines.empty() && is_empty()) cut_ = at;
  }
  void end_line(std::uint32_t depth) {
    if (!is_empty()) {
      line_.depth = depth;
      line_.number = result_.count;
      result_.lines.push_back(line_);
      line_ = {};
      gap_ = depth_;
      cut_ = result_.lines.back().end;
    }
    ++result_.count;
  }
  void skip_lines(std::uint32_t lines) { result_.count += lines; }

  TextLines finish() {
    result_.script = counter_.script();
    return std::move(result_);
  }

 private:
  void add(const Piece& piece, std::uint32_t length) {
    if (is_empty()) {
      line_.begin = piece.begin;
      line_.cut = cut_;
      line_.gap = gap_;
    }
    line_.end = piece.end;
    line_.length += length;
  }

  ByteView page_;
  TextCounter counter_;
  TextLines result_;
  TextLine line_;
  std::uint32_t depth_ = 0;
  std::uint32_t gap_ = 0;
  std::uint32_t cut_ = 0;
};

// The pieces of a page, texts ending where their lines do.
class LinePieces {
 public:
  explicit LinePieces(ByteView page) : page_(page), scanner_(page) {}

  Piece next() {
    Piece piece = rest_.begin < rest_.end ? rest_ : scanner_.next();
    if (piece.kind != PieceKind::text) return piece;
    const std::size_t newline = page_.substr(piece.begin, piece.end - piece.begin).find('\n');
    rest_ = piece;
    if (newline != ByteView::npos) piece.end = piece.begin + static_cast<std::uint32_t>(newline + 1);
    rest_.begin = piece.end;
    return piece;
  }

 private:
  ByteView page_;
  TagScanner scanner_;
  Piece rest_;
};

// Which of the pieces are to be seen.
class Visibility {
 public:
  // True where the piece stands in something hidden.
  bool hides(const Piece& piece) {
    const TagTraits& traits = traits_of(piece.tag);
    if (!traits.hidden) return depth_ > 0;
    if (piece.kind == PieceKind::start_tag) ++depth_;
    if (piece.kind == PieceKind::end_tag && depth_ > 0) --depth_;
    return true;
  }

 private:
  std::uint32_t depth_ = 0;
};

bool begins_body(const Piece& piece) {
  static const std::uint8_t head = tag_number("head");
  static const std::uint8_t body = tag_number("body");
  return (piece.kind == PieceKind::end_tag && piece.tag == head) ||
         (piece.kind == PieceKind::start_tag && piece.tag == body);
}

class SourceLineReader {
 public:
  SourceLineReader(ByteView page, std::string_view charset) : page_(page), pieces_(page), maker_(page, charset) {}

  TextLines run() {
    while (!over_) {
      broken_ = holds_several_texts();
      read_line();
    }
    return maker_.finish();
  }

 private:
  bool ends_line(const Piece& piece, bool in_heading) const {
    if (piece.kind == PieceKind::end) return true;
    return piece.kind == PieceKind::text && !in_heading && page_[piece.end - 1] == '\n';
  }

  // Looks ahead to the end of the line, so every byte is scanned twice.
  bool holds_several_texts() const {
    LinePieces pieces = pieces_;
    Visibility visibility = visibility_;
    bool heading = in_heading_ > 0;
    bool text = false;
    bool tag = false;
    while (true) {
      const Piece piece = pieces.next();
      const TagTraits& traits = traits_of(piece.tag);
      const bool hidden = visibility.hides(piece);
      if (is_tag(piece) && traits.block) heading = traits.heading > 0 && piece.kind == PieceKind::start_tag;
      if (piece.kind == PieceKind::text && !hidden && !is_blank(piece)) {
        if (text && tag) return true;
        text = true;
        tag = false;
      }
      tag = tag || (is_tag(piece) && traits.block);
      if (ends_line(piece, heading)) return false;
    }
  }

  void read_line() {
    while (true) {
      const Piece piece = pieces_.next();
      const bool hidden = visibility_.hides(piece);
      if (is_tag(piece)) {
        take_tag(piece);
      } else if (piece.kind == PieceKind::text && !hidden) {
        maker_.add_text(piece);
        if (in_heading_ > 0 && !maker_.is_empty()) maker_.mark_heading(in_heading_);
      }
      over_ = piece.kind == PieceKind::end;
      if (ends_line(piece, in_heading_ > 0)) return maker_.end_line(depth_);
    }
  }

  void take_tag(const Piece& piece) {
    const TagTraits& traits = traits_of(piece.tag);
    const bool breaks = traits.block && (broken_ || traits.heading > 0 || in_heading_ > 0);
    if (breaks && !maker_.is_empty()) maker_.end_line(depth_);
    if (traits.block) follow_heading(piece);
    if (piece.kind == PieceKind::start_tag) maker_.set_depth(++depth_, piece.end);
    if (piece.kind == PieceKind::end_tag) maker_.set_depth(depth_ > 0 ? --depth_ : 0, piece.end);
    if (begins_body(piece)) maker_.begin_text(piece.end);
    if (broken_ && traits.block) maker_.end_line(depth_);
  }

  // A heading ends with its end tag, or where one that was left out must have been.
  void follow_heading(const Piece& piece) {
    const std::uint8_t rank = piece.kind == PieceKind::start_tag ? traits_of(piece.tag).heading : std::uint8_t{0};
    if (in_heading_ > 0 || rank > 0) maker_.skip_lines(kHeadingMargin);
    in_heading_ = rank;
  }

  static bool is_tag(const Piece& piece) {
    return piece.kind == PieceKind::start_tag || piece.kind == PieceKind::end_tag ||
           piece.kind == PieceKind::single_tag;
  }
  bool is_blank(const Piece& piece) const {
    return page_.substr(piece.begin, piece.end - piece.begin).find_first_not_of(" \t\r\n\f") == ByteView::npos;
  }

  ByteView page_;
  LinePieces pieces_;
  LineMaker maker_;
  Visibility visibility_;
  std::uint32_t depth_ = 0;
  std::uint8_t in_heading_ = 0;  // its rank; 0 = none
  bool broken_ = false;
  bool over_ = false;
};

class NormalLineReader {
 public:
  NormalLineReader(ByteView page, std::string_view charset) : scanner_(page), maker_(page, charset) {}

  TextLines run() {
    for (Piece piece = scanner_.next(); piece.kind != PieceKind::end; piece = scanner_.next()) take(piece);
    end_line();
    return maker_.finish();
  }

 private:
  void take(const Piece& piece) {
    const TagTraits& traits = traits_of(piece.tag);
    const bool hidden = visibility_.hides(piece);
    if (piece.kind == PieceKind::text && !hidden) maker_.add_text(piece);
    if (traits.picture && piece.kind != PieceKind::end_tag) maker_.add_picture(piece);
    if (!traits.block || hidden) return;
    end_line();
    if (piece.kind == PieceKind::start_tag) open(piece);
    if (piece.kind == PieceKind::end_tag) close(piece);
    if (begins_body(piece)) maker_.begin_text(piece.end);
  }

  void end_line() {
    if (maker_.is_empty()) return;
    if (heading_depth_ > 0) maker_.mark_heading(rank_);
    maker_.end_line(open_.depth());
  }

  // What an open tag closes by itself ends before it.
  void open(const Piece& piece) {
    const std::uint32_t before = open_.depth();
    open_.open(piece.tag);
    const std::uint32_t outer = open_.depth() - 1;
    if (outer < before) note_depth(outer, piece.begin);
    note_depth(open_.depth(), piece.end);
    if (traits_of(piece.tag).heading > 0 && heading_depth_ == 0) {
      heading_depth_ = open_.depth();
      rank_ = traits_of(piece.tag).heading;
    }
  }
  void close(const Piece& piece) {
    const std::uint32_t before = open_.depth();
    open_.close(piece.tag);
    if (open_.depth() != before) note_depth(open_.depth(), piece.end);
  }
  void note_depth(std::uint32_t depth, std::uint32_t at) {
    maker_.set_depth(depth, at);
    if (depth < heading_depth_) heading_depth_ = 0;
  }

  TagScanner scanner_;
  LineMaker maker_;
  OpenTags open_;
  Visibility visibility_;
  std::uint32_t heading_depth_ = 0;  // of the heading that is open; 0 = none
  std::uint8_t rank_ = 0;
};

}  // namespace

TextLines source_lines(ByteView page, std::string_view charset) {
  return SourceLineReader(page, charset).run();
}

TextLines normal_lines(ByteView page, std::string_view charset) {
  return NormalLineReader(page, charset).run();
}

}  // namespace blockarch
