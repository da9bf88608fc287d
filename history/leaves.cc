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

Result<std::shared_ptr<const VersionLeaves>> LeafReader::of(const VersionId& version) {
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.version == version; });
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
    return known_.front().leaves;
  }
  BA_ASSIGN(const VersionParts parts, objects_.version_parts(version));
  ++trees_read_;
  if (known_.size() >= kMostKnown) known_.pop_back();
  auto leaves = std::make_shared<VersionLeaves>(VersionLeaves{parts.facts, parts.layout, leaves_of(parts.tree)});
  known_.push_front({version, std::move(leaves)});
  return known_.front().leaves;
}

}  // namespace blockarch
