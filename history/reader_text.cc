#include "history/reader_text.h"

#include "base/charset.h"
#include "segment/references.h"
#include "segment/tag_scanner.h"

namespace blockarch {
namespace {

class TextBuilder {
 public:
  void blank() {
    if (!text_.empty()) pending_ = true;
  }

  void add(std::string_view text, bool references) {
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f') {
        blank();
        ++at;
      } else if (c == '&' && references) {
        std::string resolved;
        at += std::max<std::size_t>(append_reference(text.substr(at), resolved), 1);
        if (resolved == " ")
          blank();
        else
          put(resolved.empty() ? "&" : std::string_view(resolved));
      } else {
        put(text.substr(at++, 1));
      }
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void put(std::string_view bytes) {
    if (pending_) text_ += ' ';
    pending_ = false;
    text_ += bytes;
  }

  std::string text_;
  bool pending_ = false;
};

}  // namespace

bool has_markup(const PageFacts& version) {
  const std::string& type = version.media_type;
  return type.empty() || type.find("html") != std::string::npos || type.find("xml") != std::string::npos;
}

std::string reader_text(ByteView block, std::string_view charset, bool markup) {
  const std::string utf8 = to_utf8(block, charset);
  TextBuilder builder;
  if (!markup) {
    builder.add(utf8, false);
    return builder.take();
  }
  TagScanner scanner(utf8);
  for (Piece piece = scanner.next(); piece.kind != PieceKind::end; piece = scanner.next()) {
    if (piece.kind == PieceKind::text) {
      builder.add(std::string_view(utf8).substr(piece.begin, piece.end - piece.begin), true);
    } else if (piece.kind != PieceKind::raw && piece.kind != PieceKind::other) {
      const TagTraits& tag = traits_of(piece.tag);
      if (tag.block || tag.item || tag.name == "br") builder.blank();
    }
  }
  return builder.take();
}

}  // namespace blockarch
