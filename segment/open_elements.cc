#include "segment/open_elements.h"

#include <algorithm>
#include <utility>

namespace blockarch {
namespace {

constexpr std::size_t kMaxFormatting = 32;     // open formatting elements inside one element
constexpr std::uint32_t kLargeGraphic = 1024;  // a smaller <svg> is an icon in its text

}  // namespace

OpenElements::OpenElements(std::uint32_t payload_size) : tree_(payload_size) {
  open_.push_back({nullptr, 0, 0, 0, false});
}

bool OpenElements::follow(std::span<void* const> stack, const Tag& tag, TagOfNode tag_of, std::vector<void*>& closed) {
  closed.clear();
  std::size_t common = common_depth(stack);
  if (common == nodes_.size() && common == stack.size()) return false;
  // Mostly one element more, or one less.
  if (common == nodes_.size() && common + 1 == stack.size()) {
    const TagId name = tag_of(stack.back());
    const bool is_the_tag = !tag.closing && name == tag.tag;
    return push(stack.back(), is_the_tag ? tag : Tag{tag.begin, tag.begin, name, false, 0, 0}, true), true;
  }
  if (common == stack.size() && common + 1 == nodes_.size()) {
    closed.push_back(const_cast<void*>(open_[nodes_[common]].node));
    return close_from(common, tag), true;
  }
  if (common + 1 < nodes_.size() && common < stack.size() && open_[nodes_[common + 1]].node == stack[common]) {
    forget_removed(common);
    common = common_depth(stack);
  }
  const std::span<void* const> fresh = stack.subspan(common);
  // Innermost first, as they are to be freed. A node that only moved is still open.
  std::vector<const void*> moved;
  for (std::size_t i = nodes_.size(); i > common; --i) {
    const void* node = open_[nodes_[i - 1]].node;
    const bool still_open = std::find(fresh.begin(), fresh.end(), node) != fresh.end();
    if (still_open) moved.push_back(node);
    if (!still_open) closed.push_back(const_cast<void*>(node));
  }
  if (common < nodes_.size()) close_from(common, tag);
  for (void* const node : fresh) {
    const bool recorded = std::find(moved.begin(), moved.end(), node) == moved.end();
    const TagId name = tag_of(node);
    const bool is_the_tag = !tag.closing && node == stack.back() && name == tag.tag;
    push(node, is_the_tag ? tag : Tag{tag.begin, tag.begin, name, false, 0, 0}, recorded);
  }
  return true;
}

// How many open elements, from the outermost on, are the same here and there.
std::size_t OpenElements::common_depth(std::span<void* const> stack) const {
  std::size_t common = std::min(nodes_.size(), stack.size());
  while (common > 0 && open_[nodes_[common - 1]].node != stack[common - 1]) --common;
  return common;
}

// </form> takes the form out of the middle of the stack. What it holds goes on past its end, so it is no range.
void OpenElements::forget_removed(std::size_t depth) {
  const std::size_t position = nodes_[depth];
  if (open_[position].element != kNoElement) tree_.drop(open_[position].element);
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(position));
  nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(depth));
  for (std::size_t i = depth; i < nodes_.size(); ++i) --nodes_[i];
}

void OpenElements::close_from(std::size_t depth, const Tag& tag) {
  const std::size_t lowest = nodes_[depth];
  for (std::size_t i = open_.size(); i > lowest; --i) {
    const Open& open = open_[i - 1];
    if (open.element == kNoElement) continue;
    const bool by_its_tag = i - 1 == lowest && tag.closing && end_tag_closes(tag.tag, open.tag);
    tree_.close(open.element, tag.begin, by_its_tag ? tag.end : tag.begin);
    Element& element = tree_.elements[open.element];
    if (!open.node) element.dropped = true;
    if (is_graphic_tag(open.tag) && element.end - element.begin < kLargeGraphic) element.kind = ElementKind::phrasing;
  }
  open_.resize(lowest);
  nodes_.resize(depth);
}

void OpenElements::push(const void* node, const Tag& tag, bool recorded) {
  const Open& around = open_.back();
  Open entry{node, tag.tag, kNoElement, around.nearest, around.opaque};
  if (recorded && !around.opaque) {
    entry.element = entry.nearest = add(tag);
    entry.opaque = kind_of_tag(tag.tag) == ElementKind::leaf;
  }
  nodes_.push_back(open_.size());
  open_.push_back(entry);
}

void OpenElements::take_formatting(const Tag& tag) {
  if (open_.back().opaque) return;
  const std::size_t first = nodes_.empty() ? 1 : nodes_.back() + 1;
  std::size_t after = open_.size();  // one past the innermost of the same name
  while (after > first && open_[after - 1].tag != tag.tag) --after;
  const bool found = after > first;
  if (tag.closing) {
    if (!found) return;
    drop_from(after);
    tree_.close(open_.back().element, tag.begin, tag.end);
    open_.pop_back();
    return;
  }
  if (found && is_link_tag(tag.tag)) drop_from(after - 1);  // links do not nest: the first was never closed
  if (open_.size() - first >= kMaxFormatting) return;
  const std::uint32_t element = add(tag);
  open_.push_back({nullptr, tag.tag, element, element, false});
}

void OpenElements::drop_from(std::size_t position) {
  for (std::size_t i = position; i < open_.size(); ++i) tree_.drop(open_[i].element);
  open_.resize(position);
}

void OpenElements::add_empty(const Tag& tag) {
  if (!open_.back().opaque) add(tag);
}

void OpenElements::add_comment(std::uint32_t begin, std::uint32_t end) {
  if (open_.back().opaque) return;
  const std::uint32_t element = tree_.open(open_.back().nearest, ElementKind::leaf, begin, end);
  tree_.close(element, end, end);
}

std::uint32_t OpenElements::add(const Tag& tag) {
  const std::uint32_t element = tree_.open(open_.back().nearest, kind_of_tag(tag.tag), tag.begin, tag.end);
  Element& added = tree_.elements[element];
  added.id_begin = tag.id_begin;
  added.id_size = tag.id_size;
  added.tag = tag.written;
  return element;
}

ElementTree OpenElements::finish(std::span<const Tag> ends) {
  std::uint32_t limit = tree_.elements[0].end;
  for (std::size_t i = 1; i < open_.size(); ++i) {
    const Open& open = open_[i];
    if (open.element == kNoElement) continue;
    const auto end_tag =
        std::find_if(ends.begin(), ends.end(), [&](const Tag& tag) { return tag.tag == open.tag && tag.end <= limit; });
    const std::uint32_t end = end_tag != ends.end() ? end_tag->end : limit;
    if (end_tag != ends.end()) limit = end_tag->begin;
    tree_.close(open.element, limit, end);
    if (!open.node) tree_.drop(open.element);
  }
  tree_.finish();
  return std::move(tree_);
}

}  // namespace blockarch
