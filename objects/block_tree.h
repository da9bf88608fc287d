// The nested blocks of a page. Nodes stand in pre-order; node 0 is the whole page. Leaves are the blocks; their bytes are
// objects. What an inner node has outside its children is in the layout: `lead` bytes before its first child and `tail`
// bytes after its last one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_id.h"

namespace blockarch {

inline constexpr std::uint64_t kMaxTreeNodes = 1 << 24;
inline constexpr std::uint32_t kMaxTreeDepth = 64;

struct TreeNode {
  std::uint32_t children = 0;  // 0 = a leaf

  // Leaves:
  ObjectId content;         // a block or a list
  std::uint64_t size = 0;   // of the block's bytes
  bool opens_slot = false;  // false: stands in the same slot as the leaf before it

  // Inner nodes but the root:
  std::uint64_t lead = 0;
  std::uint64_t tail = 0;

  bool is_leaf() const { return children == 0; }
  bool operator==(const TreeNode&) const = default;
};

struct BlockTree {
  std::vector<TreeNode> nodes;
  bool operator==(const BlockTree&) const = default;
};

Bytes encode_block_tree(const BlockTree& tree);
// Corrupt unless the child counts close exactly, the first leaf opens a slot, and the depth is within kMaxTreeDepth.
Result<BlockTree> decode_block_tree(ByteView content);

}  // namespace blockarch
