// A page as a run of text and tags, by reading its bytes once from left to right: the string model of the segmenters that
// build no document tree. Nothing is allocated, whatever the page.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

enum class PieceKind : std::uint8_t {
  text,
  start_tag,
  end_tag,
  single_tag,  // has no end tag: <br>, <img>
  raw,         // what stands inside <script>, <style>, <textarea>…: text to the page, not to its reader
  other,       // comments, doctype, processing instructions
  end,         // the page is over
};

// What a tag does to the lines of a page.
struct TagTraits {
  std::string_view name;     // "" for names that are not in the table: they flow with their text
  bool block = false;        // stands on a line of its own
  std::uint8_t heading = 0;  // 1 to 6: <h1> to <h6>
  bool item = false;         // the end tag may be left out
  bool single = false;       // has no end tag
  bool raw = false;          // what is inside is no markup
  bool hidden = false;       // what is inside is not shown
  bool picture = false;      // shows something that is no text
  bool scope = false;        // an end tag inside never closes what is open outside
};

struct Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  PieceKind kind = PieceKind::end;
  std::uint8_t tag = 0;  // traits_of(tag); 0 for text and for names that are not in the table
};

inline constexpr std::uint8_t kUnknownTag = 0;
const TagTraits& traits_of(std::uint8_t tag);
// Of a lower-case name.
std::uint8_t tag_number(std::string_view name);
inline constexpr std::size_t kMaxTagNumbers = 128;

// Of raw bytes in a charset whose markup is ASCII (markup_is_ascii), at most 4 GiB. Tags end where the HTML standard ends
// them. The pieces tile the page; none is empty. Linear.
class TagScanner {
 public:
  explicit TagScanner(ByteView page) : page_(page) {}
  // PieceKind::end after the last one, again and again.
  Piece next();

 private:
  std::size_t end_of_text() const;
  std::size_t end_of_tag(std::size_t after_name) const;
  std::size_t end_of_raw() const;
  bool opens_markup(std::size_t at) const;
  Piece take(std::size_t end, PieceKind kind, std::uint8_t tag = kUnknownTag);

  ByteView page_;
  std::size_t at_ = 0;
  std::uint8_t raw_ = kUnknownTag;  // the element whose text comes next
};

}  // namespace blockarch
