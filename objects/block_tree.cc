#include "objects/block_tree.h"

#include "base/coding.h"
#include "objects/encoding_version.h"

namespace blockarch {
namespace {

// Low bits of a node's first number; the rest is its child count.
constexpr std::uint64_t kOpensSlot = 1;
constexpr std::uint64_t kIsList = 2;
constexpr int kChildrenShift = 2;

void put_node(Bytes& out, const TreeNode& node, bool is_root) {
  std::uint64_t head = static_cast<std::uint64_t>(node.children) << kChildrenShift;
  if (node.is_leaf()) {
    if (node.opens_slot) head |= kOpensSlot;
    if (node.content.kind == ObjectKind::list) head |= kIsList;
  }
  put_varint(out, head);
  if (node.is_leaf()) {
    put_varint(out, node.size);
  } else if (!is_root) {
    put_varint(out, node.lead);
    put_varint(out, node.tail);
  }
}

TreeNode read_node(ByteReader& reader, bool is_root) {
  TreeNode node;
  const std::uint64_t head = reader.varint_up_to(kMaxTreeNodes << kChildrenShift | 3);
  node.children = static_cast<std::uint32_t>(head >> kChildrenShift);
  if (node.is_leaf()) {
    node.opens_slot = head & kOpensSlot;
    node.content.kind = head & kIsList ? ObjectKind::list : ObjectKind::block;
    node.size = reader.varint();
    if (node.size == 0 && !is_root) reader.fail();
  } else {
    if (head & (kOpensSlot | kIsList)) reader.fail();
    if (!is_root) {
      node.lead = reader.varint_up_to(kMaxObjectSize);
      node.tail = reader.varint_up_to(kMaxObjectSize);
    }
  }
  return node;
}

// Every node is the child of the innermost open node; `open` holds how many children each open node still wants.
bool shape_is_sound(const std::vector<TreeNode>& nodes) {
  std::vector<std::uint32_t> open;
  bool first_leaf = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0) {
      if (open.empty()) return false;
      --open.back();
    }
    if (nodes[i].is_leaf()) {
      if (first_leaf && !nodes[i].opens_slot) return false;
      first_leaf = false;
    } else {
      open.push_back(nodes[i].children);
      if (open.size() > kMaxTreeDepth) return false;
    }
    while (!open.empty() && open.back() == 0) open.pop_back();
  }
  return open.empty();
}

}  // namespace

// The shape first, the leaves' ids after it: the shape compresses against the previous version's, ids do not.
Bytes encode_block_tree(const BlockTree& tree) {
  Bytes out;
  put_encoding_version(out);
  put_varint(out, tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) put_node(out, tree.nodes[i], i == 0);
  for (const TreeNode& node : tree.nodes) {
    if (node.is_leaf()) put_hash(out, node.content.hash);
  }
  return out;
}

Result<BlockTree> decode_block_tree(ByteView content) {
  ByteReader reader(content);
  BA_TRY(read_encoding_version(reader, "tree"));
  const std::uint64_t count = reader.varint_up_to(std::min<std::uint64_t>(kMaxTreeNodes, reader.rest().size()));
  if (count == 0) reader.fail();
  BlockTree tree;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) tree.nodes.push_back(read_node(reader, i == 0));
  for (TreeNode& node : tree.nodes) {
    if (node.is_leaf()) node.content.hash = reader.hash();
  }
  BA_TRY(reader.finish("tree"));
  if (!shape_is_sound(tree.nodes)) return Error{ErrorCode::corrupt, "tree has child counts that do not close"};
  return tree;
}

}  // namespace blockarch
