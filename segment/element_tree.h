// The elements of a marked-up document as ranges of its bytes, the same for HTML and XML: what the
// partitioner cuts.
//
// Holds for every finished tree, whatever the input was:
//   elements[0] is the document itself, 0 to the payload's end; a parent stands before its children;
//   begin <= inner_begin <= inner_end <= end, and a child's range lies in its parent's inner range;
//   siblings are in source order and do not overlap.
// An element that would break this (misnested, moved by the HTML parser) is not linked: its bytes are its
// parent's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace blockarch {

enum class ElementKind : std::uint8_t {
  phrasing,     // text level, no boundary; becomes block where block-level content stands inside
  line_break,   // <br>: ends a line of text
  block,        // a boundary, may be cut inside
  heading,      // as block, and what follows belongs to it
  leaf,         // a boundary, never cut inside: script, style, svg
  entry,        // one of a list of records (feed item, sitemap address): a block by itself whatever its size
  transparent,  // <html>, <body>: the children stand in its place
};

inline constexpr std::size_t kElementKinds = 7;

inline constexpr std::uint32_t kNoElement = 0xffffffff;

struct Element {
  std::uint32_t begin = 0;        // the start tag's first byte
  std::uint32_t inner_begin = 0;  // after the start tag; equal to begin where the tag is only implied
  std::uint32_t inner_end = 0;    // the end tag's first byte; equal to end where there is none
  std::uint32_t end = 0;          // one past the last byte
  std::uint32_t parent = kNoElement;
  std::uint32_t first_child = kNoElement;
  std::uint32_t next_sibling = kNoElement;
  std::uint32_t id_begin = 0;  // the bytes of the id attribute's value; size 0 where there is none
  std::uint8_t id_size = 0;
  std::uint8_t tag = 0;  // of HTML, lexbor's number for the name that stands in the payload; 0 where it has none
  ElementKind kind = ElementKind::phrasing;
  bool dropped = false;
};

// Offsets are 32 bits wide: what makes trees refuses larger payloads.
struct ElementTree {
  std::vector<Element> elements;

  explicit ElementTree(std::uint32_t payload_size);

  // Appends an element that is still open, as the newest in source order.
  std::uint32_t open(std::uint32_t parent, ElementKind kind, std::uint32_t begin, std::uint32_t inner_begin) {
    elements.push_back({.begin = begin,
                        .inner_begin = inner_begin,
                        .inner_end = inner_begin,
                        .end = inner_begin,
                        .parent = parent,
                        .kind = kind});
    return static_cast<std::uint32_t>(elements.size() - 1);
  }
  void close(std::uint32_t element, std::uint32_t inner_end, std::uint32_t end) {
    elements[element].inner_end = inner_end;
    elements[element].end = end;
  }
  void drop(std::uint32_t element) { elements[element].dropped = true; }

  // To be called once, after the last close: drops what does not nest, links children and siblings, and turns
  // text-level elements with block-level content into blocks. Linear.
  void finish();
};

// The tag's name as it stands in the payload, "" for an implied tag.
ByteView element_name(ByteView payload, const Element& element);

}  // namespace blockarch
