// An HTML page as the segmenters that follow layout see it: elements and texts as ranges of its bytes, in one array, each
// with its computed style.
//
// The elements are those of html_elements.h, so nesting, limits and what is done about broken markup are the same; tags
// that are only implied leave no node, their children stand in their parent. The style comes from browsers' defaults,
// presentational attributes, the page's own <style> elements and style attributes. Linked style sheets are not part of
// the page; animations, states and sizes of windows are not looked at.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "segment/html_tags.h"
#include "segment/style.h"

namespace blockarch {

// Node 0 is the document. In pre-order: the nodes inside node i are i + 1 up to nodes[i].subtree_end, so the first child
// of i is i + 1 where that is below subtree_end, and the sibling after i is nodes[i].subtree_end where that is below the
// parent's subtree_end.
struct StyledNode {
  std::uint32_t begin = 0;        // the start tag's first byte, or the text's
  std::uint32_t inner_begin = 0;  // after the start tag; of a text: begin
  std::uint32_t inner_end = 0;    // the end tag's first byte; of a text: end
  std::uint32_t end = 0;          // one past the last byte
  std::uint32_t parent = 0;
  std::uint32_t subtree_end = 0;
  std::uint32_t style = 0;  // index in StyledPage::styles
  std::uint16_t tag = 0;    // a TagId; kTextTag for text, kOtherTag for names that HTML does not know

  std::uint32_t size() const { return end - begin; }
};

inline constexpr std::uint16_t kDocumentTag = 0;
inline constexpr std::uint16_t kTextTag = 0xffff;
inline constexpr std::uint16_t kOtherTag = 0xfffe;

struct StyledPage {
  ByteView payload;  // must outlive the page
  std::vector<StyledNode> nodes;
  std::vector<ComputedStyle> styles;  // each once

  const ComputedStyle& style(const StyledNode& node) const { return styles[node.style]; }
  ByteView text(const StyledNode& node) const { return payload.substr(node.begin, node.size()); }
  ByteView start_tag(const StyledNode& node) const { return payload.substr(node.begin, node.inner_begin - node.begin); }
  // The value of an element's attribute, as written; empty where there is none.
  ByteView attribute(const StyledNode& node, std::string_view lower_case_name) const;
  // "div#main", "#text"; safe to print, at most 64 bytes. Empty for the document.
  std::string name(const StyledNode& node) const;

  static bool is_text(const StyledNode& node) { return node.tag == kTextTag; }
};

// Total and deterministic, linear in time and memory. Texts are runs between tags and comments that hold anything but
// white space (&nbsp; and U+00A0 in UTF-8 count as such); nothing inside <script>, <style>, <svg>, <math> and <iframe>
// is a node. Pages that html_elements.h does not parse are a document with one text.
StyledPage read_styled_page(ByteView payload);

// Characters in a piece of the payload as a reader counts them: runs of white space and references like &eacute; are one,
// bytes that continue a UTF-8 sequence none.
std::uint32_t visible_length(ByteView text);

}  // namespace blockarch
