#include "segment/element_tree.h"

#include <algorithm>

namespace blockarch {
namespace {

// A text-level element this long is cut at its line breaks: old pages put whole articles into one <font>.
constexpr std::uint32_t kLongText = 2048;
constexpr std::size_t kMaxNameSize = 64;

bool is_boundary(ElementKind kind) {
  return kind != ElementKind::phrasing && kind != ElementKind::line_break;
}

bool promotes(const Element& child, const Element& parent) {
  if (parent.kind != ElementKind::phrasing) return false;
  return is_boundary(child.kind) || (child.kind == ElementKind::line_break && parent.end - parent.begin >= kLongText);
}

bool is_name_end(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '/' || c == '>';
}

}  // namespace

ElementTree::ElementTree(std::uint32_t payload_size) {
  // About what real pages have; a page of only text wastes little.
  constexpr std::uint32_t kBytesPerElement = 64;
  elements.reserve(payload_size / kBytesPerElement + 1);
  Element& document = elements.emplace_back();
  document.inner_end = document.end = payload_size;
  document.kind = ElementKind::transparent;
}

void ElementTree::finish() {
  std::vector<std::uint32_t> last_child(elements.size(), kNoElement);
  for (std::uint32_t i = 1; i < elements.size(); ++i) {
    Element& element = elements[i];
    // Parents stand before children, so the parent's own parent is settled already.
    if (elements[element.parent].dropped) element.parent = elements[element.parent].parent;
    const Element& parent = elements[element.parent];
    const std::uint32_t previous = last_child[element.parent];
    const std::uint32_t low = previous == kNoElement ? parent.inner_begin : elements[previous].end;
    const bool nests = low <= element.begin && element.begin <= element.inner_begin &&
                       element.inner_begin <= element.inner_end && element.inner_end <= element.end &&
                       element.end <= parent.inner_end;
    if (!nests) element.dropped = true;
    if (element.dropped) continue;
    (previous == kNoElement ? elements[element.parent].first_child : elements[previous].next_sibling) = i;
    last_child[element.parent] = i;
  }
  for (std::size_t i = elements.size() - 1; i > 0; --i) {
    const Element& element = elements[i];
    if (element.dropped) continue;
    Element& parent = elements[element.parent];
    if (promotes(element, parent)) parent.kind = ElementKind::block;
  }
}

ByteView element_name(ByteView payload, const Element& element) {
  if (element.inner_begin <= element.begin + 1 || element.inner_begin > payload.size()) return {};
  const ByteView tag = payload.substr(element.begin + 1, element.inner_begin - element.begin - 1);
  const auto* const end = std::find_if(tag.begin(), tag.end(), is_name_end);
  return tag.substr(0, std::min(static_cast<std::size_t>(end - tag.begin()), kMaxNameSize));
}

}  // namespace blockarch
