// The elements open at a point of a page, with the byte ranges of those that are closed: a copy of the tree builder's
// stack that knows offsets, and the formatting elements, which the tree builder is not shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "segment/element_tree.h"
#include "segment/html_tags.h"

namespace blockarch {

// A tag in the payload, or a point in it: then begin and end are the same.
struct Tag {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  TagId tag = 0;
  bool closing = false;
  std::uint32_t id_begin = 0;  // as in Element
  std::uint8_t id_size = 0;
  std::uint8_t written = 0;  // Element::tag
};

class OpenElements {
 public:
  using TagOfNode = TagId (*)(const void* node);

  explicit OpenElements(std::uint32_t payload_size);

  std::size_t depth() const { return nodes_.size(); }
  std::size_t recorded() const { return tree_.elements.size(); }

  // After the tree builder took `tag`: `stack` is what it has open, outermost first. What is no longer there ends at the
  // tag, what is new begins there. True where anything changed; `closed` gets the nodes that are open no more.
  bool follow(std::span<void* const> stack, const Tag& tag, TagOfNode tag_of, std::vector<void*>& closed);

  // A formatting tag opens an element or closes one that was opened inside the same element; anything else is misnested
  // and leaves no range.
  void take_formatting(const Tag& tag);

  void add_empty(const Tag& tag);
  void add_comment(std::uint32_t begin, std::uint32_t end);

  // What is still open ends with what is around it, or at its end tag among `ends`. Nothing may be called afterwards.
  ElementTree finish(std::span<const Tag> ends);

 private:
  struct Open {
    const void* node;  // null for a formatting element
    TagId tag;
    std::uint32_t element;  // kNoElement where nothing is recorded
    std::uint32_t nearest;  // the innermost recorded element at this point
    bool opaque;            // nothing inside is recorded
  };

  std::size_t common_depth(std::span<void* const> stack) const;
  void forget_removed(std::size_t depth);
  void close_from(std::size_t depth, const Tag& tag);
  void push(const void* node, const Tag& tag, bool recorded);
  std::uint32_t add(const Tag& tag);
  void drop_from(std::size_t position);

  ElementTree tree_;
  std::vector<Open> open_;          // [0] is the document
  std::vector<std::size_t> nodes_;  // where in open_ each open node stands
};

}  // namespace blockarch
