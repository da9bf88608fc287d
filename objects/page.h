// A stored page put together again.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_source.h"

namespace blockarch {

// The page's bytes, checked against the version's payload hash: the exact bytes that were captured, or an error.
Result<Bytes> join_page(const ObjectSource& source, const Version& version);

// The bytes of one block or list.
Result<Bytes> join_block(const ObjectSource& source, const ObjectId& content, std::uint64_t size);

// Where each node of the tree stands in the page: byte ranges in the order of tree.nodes. Corrupt where tree and layout
// do not fit together.
struct NodeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t level = 0;
};
Result<std::vector<NodeRange>> node_ranges(const Layout& layout, const BlockTree& tree);

}  // namespace blockarch
