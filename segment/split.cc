#include "segment/split.h"

#include <unordered_set>

#include "objects/block_list.h"
#include "segment/chunker.h"

namespace blockarch {
namespace {

class Splitter {
 public:
  Splitter(ByteView payload, RecentBlocks* recent) : payload_(payload), recent_(recent) {}

  SplitPage run(const std::vector<Region>& regions) {
    page_.tree.nodes.resize(regions.size());
    count_children(regions);
    for (std::size_t i = 0; i < regions.size(); ++i) {
      if (page_.tree.nodes[i].is_leaf()) add_leaf(page_.tree.nodes[i], regions[i]);
    }
    page_.layout.literals.emplace_back(payload_.substr(position_));
    set_margins(regions);
    return std::move(page_);
  }

 private:
  void count_children(const std::vector<Region>& regions) {
    for (std::size_t i = 1; i < regions.size(); ++i) ++page_.tree.nodes[regions[i].parent].children;
  }

  void add_leaf(TreeNode& node, const Region& region) {
    node.opens_slot = page_.layout.literals.empty() || region.begin > position_;
    if (node.opens_slot) page_.layout.literals.emplace_back(payload_.substr(position_, region.begin - position_));
    position_ = region.end;
    node.size = region.end - region.begin;
    node.content = add_content(payload_.substr(region.begin, node.size));
  }

  ObjectId add_content(ByteView bytes) {
    if (bytes.size() <= kMaxWholeBlock) return add(ObjectKind::block, bytes);
    const std::vector<std::uint64_t> ends = chunk_ends(bytes, chunk_sizes_for(bytes.size()));
    if (ends.size() < 2) return add(ObjectKind::block, bytes);
    BlockList list;
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends) {
      const ObjectId id = add(ObjectKind::block, bytes.substr(begin, end - begin));
      list.chunks.push_back({BlockId{id.hash}, end - begin});
      begin = end;
    }
    page_.owned.push_back(encode_block_list(list));
    return add(ObjectKind::list, page_.owned.back());
  }

  ObjectId add(ObjectKind kind, ByteView content) {
    const bool may_be_known = recent_ != nullptr && kind == ObjectKind::block;
    const ObjectId id(kind, may_be_known ? recent_->id_of(content) : hash_object(kind, content));
    if (seen_.insert(id.hash).second) page_.objects.push_back({id, content});
    return id;
  }

  // A region's margins lie between it and its first and last child.
  void set_margins(const std::vector<Region>& regions) {
    std::vector<std::uint64_t> last_end(regions.size(), 0);
    for (std::size_t i = 1; i < regions.size(); ++i) {
      const std::uint32_t parent = regions[i].parent;
      const bool first_child = parent + 1 == i;
      if (first_child && parent != 0) page_.tree.nodes[parent].lead = regions[i].begin - regions[parent].begin;
      last_end[parent] = regions[i].end;
    }
    for (std::size_t i = 1; i < regions.size(); ++i) {
      if (!page_.tree.nodes[i].is_leaf()) page_.tree.nodes[i].tail = regions[i].end - last_end[i];
    }
  }

  ByteView payload_;
  RecentBlocks* recent_;
  SplitPage page_;
  std::unordered_set<Hash256> seen_;
  std::uint64_t position_ = 0;  // end of the last leaf
};

}  // namespace

SplitPage split_page(ByteView payload, const Segmentation& segmentation, RecentBlocks* recent) {
  if (is_well_formed(segmentation, payload.size(), kMaxLevel)) {
    return Splitter(payload, recent).run(segmentation.regions);
  }
  Region whole;
  whole.end = payload.size();
  return Splitter(payload, recent).run({whole});
}

}  // namespace blockarch
