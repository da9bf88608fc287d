#include "history/leaves.h"

#include <algorithm>

namespace blockarch {
namespace {

constexpr std::size_t kMostKnown = 8;

}  // namespace

Leaves leaves_of(const BlockTree& tree) {
  Leaves leaves;
  for (const TreeNode& node : tree.nodes)
    if (node.is_leaf()) leaves.push_back({node.content, node.size});
  return leaves;
}

Result<std::shared_ptr<const Leaves>> LeafReader::of(const TreeId& tree) {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.tree == tree; });
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
    return known_.front().leaves;
  }
  BA_ASSIGN(const BlockTree read, load_block_tree(objects_, tree));
  ++trees_read_;
  if (known_.size() >= kMostKnown) known_.pop_back();
  known_.push_front({tree, std::make_shared<const Leaves>(leaves_of(read))});
  return known_.front().leaves;
}

}  // namespace blockarch
