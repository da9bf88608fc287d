#include "segment/btls_tree.h"

#include <algorithm>
#include <vector>

namespace blockarch {
namespace {

class TreeMaker {
 public:
  explicit TreeMaker(const std::deque<TextLine>& lines) : lines_(lines) {}

  std::deque<LineNode> run() {
    if (lines_.empty()) return {};
    std::uint32_t newest = add_leaf(0);
    for (std::uint32_t i = 1; i < lines_.size(); ++i) {
      const std::uint32_t gap = lines_[i].gap;
      while (!open_.empty() && open_.back().gap > gap) newest = close(newest);
      if (open_.empty() || open_.back().gap < gap) {
        open_.push_back({gap, newest, newest});
      } else {
        append(newest);
      }
      newest = add_leaf(i);
    }
    while (!open_.empty()) newest = close(newest);
    return std::move(nodes_);
  }

 private:
  struct Open {
    std::uint32_t gap;
    std::uint32_t first_child;
    std::uint32_t last_child;
  };

  std::uint32_t add_leaf(std::uint32_t line) {
    const std::uint8_t heading = lines_[line].heading;
    nodes_.push_back({line, line, lines_[line].length, kNoNode, kNoNode, heading > 0 ? heading : kNoHeading});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  void append(std::uint32_t node) {
    nodes_[open_.back().last_child].next_sibling = node;
    open_.back().last_child = node;
  }

  // The newest run of lines ends with `last`; gives its node.
  std::uint32_t close(std::uint32_t last) {
    append(last);
    LineNode node{
        nodes_[open_.back().first_child].first, nodes_[last].last, 0, open_.back().first_child, kNoNode, kNoHeading};
    for (std::uint32_t i = node.first_child; i != kNoNode; i = nodes_[i].next_sibling) {
      node.length += nodes_[i].length;
      node.heading = std::min(node.heading, nodes_[i].heading);
    }
    open_.pop_back();
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  const std::deque<TextLine>& lines_;
  std::deque<LineNode> nodes_;
  std::vector<Open> open_;
};

}  // namespace

std::deque<LineNode> line_tree(const std::deque<TextLine>& lines) {
  return TreeMaker(lines).run();
}

}  // namespace blockarch
