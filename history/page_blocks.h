// The blocks of a page in the grain in which a person tells its history: a paragraph, a heading, a list item, a row of a
// table, a line of verse, a script. Finer than visible blocks (segment/describe.h) and often finer than stored ones, so
// that a list item which moves is seen to move. Derived from the bytes; nothing of it is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "objects/object_id.h"
#include "objects/version.h"
#include "segment/auto.h"
#include "segment/element_tree.h"

namespace blockarch {

enum class PageBlockKind : std::uint8_t {
  text,    // has words to read
  media,   // pictures, controls, frames without words
  head,    // <meta>, <link>: about the page
  script,  // also data inside scripts
  style,
  bytes,  // a piece of what is no text
};

struct PageBlock {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // one past the last byte
  BlockId id;             // of its bytes, as the store would name it: equal bytes have equal ids
  PageBlockKind kind = PageBlockKind::text;
  std::uint32_t element = kNoElement;  // where it stands: itself, or what its text is in; kNoElement without markup
  std::string path;                    // "body/ul/li"; a run of text has its parent's and "#text"

  bool is_element() const { return element != kNoElement && !path.ends_with("#text"); }
};

// A stretch of a page that says nothing (significance_rules.h).
struct NoiseRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool operator==(const NoiseRange&) const = default;
};

struct PageBlocks {
  Markup markup = Markup::none;
  std::string media_type;
  std::string charset;
  std::vector<PageBlock> blocks;  // in the order of the page, disjoint, none empty
  ElementTree tree{0};            // of the page; the document alone where there is no markup
  std::vector<NoiseRange> noise;  // left out of comparisons; sorted, disjoint; empty unless drop_noise() was called

  bool is_text() const { return !charset.empty(); }
};

// Many pages have a frame in <noscript> without an end tag: a browser that runs scripts never sees it, but to a parser the
// rest of the page is inside. The page with the name of that one tag made unknown, all offsets as they were; nothing where
// all is well.
std::optional<Bytes> without_open_frame(ByteView page);

// A page of more blocks has the rest of it in the last one.
inline constexpr std::size_t kMaxPageBlocks = 200'000;

// Linear, total. What lies between blocks (tags of containers, white space, comments) is the page's layout.
// `charset` is empty for what is no text, as in Version.
PageBlocks read_page_blocks(ByteView payload, const std::string& media_type, const std::string& charset);
PageBlocks read_page_blocks(ByteView payload, const PageFacts& version);

}  // namespace blockarch
