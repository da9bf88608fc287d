#include "objects/page.h"

#include <fmt/format.h>

namespace blockarch {
namespace {

Error mismatch(const Version& version, std::string_view what) {
  return {ErrorCode::corrupt,
          fmt::format("page {} (version {}) {}", short_id(version.payload_hash), short_id(id_of(version).hash), what)};
}

Result<void> append_block(const ObjectSource& source, const ObjectId& content, std::uint64_t size, Bytes& out) {
  const std::size_t before = out.size();
  if (content.kind == ObjectKind::block) {
    BA_ASSIGN(const Bytes bytes, load(source, content));
    out.append(bytes);
  } else {
    BA_ASSIGN(const BlockList list, load_block_list(source, ListId{content.hash}));
    for (const Chunk& chunk : list.chunks) BA_TRY(append_block(source, chunk.id, chunk.size, out));
  }
  if (out.size() - before != size) {
    return Error{ErrorCode::corrupt,
                 fmt::format("{} has {} bytes instead of {}", content.text(), out.size() - before, size)};
  }
  return {};
}

}  // namespace

Result<Bytes> join_block(const ObjectSource& source, const ObjectId& content, std::uint64_t size) {
  Bytes out;
  BA_TRY(append_block(source, content, size, out));
  return out;
}

Result<Bytes> join_page(const ObjectSource& source, const Version& version) {
  BA_ASSIGN(const Layout layout, load_layout(source, version.layout));
  BA_ASSIGN(const BlockTree tree, load_block_tree(source, version.tree));
  Bytes page;
  page.reserve(version.payload_size);
  std::size_t literal = 0;
  for (const TreeNode& node : tree.nodes) {
    if (!node.is_leaf()) continue;
    if (node.opens_slot) {
      if (literal == layout.slots()) return mismatch(version, "has more blocks than its layout has slots");
      page.append(layout.literals[literal++]);
    }
    if (node.size > version.payload_size - std::min<std::uint64_t>(page.size(), version.payload_size)) {
      return mismatch(version, "has blocks larger than the page");
    }
    BA_TRY(append_block(source, node.content, node.size, page));
  }
  if (literal != layout.slots()) return mismatch(version, "has fewer blocks than its layout has slots");
  page.append(layout.literals[literal]);
  if (page.size() != version.payload_size) return mismatch(version, "does not come out at its own size");
  if (blake3(page) != version.payload_hash) return mismatch(version, "does not come out with its own hash");
  return page;
}

namespace {

// Walks leaves, inner starts and inner ends with one cursor over the page. `lead` and `tail` say how much of the literal
// between two leaves lies inside an inner node, so an inner node that begins before leaf n begins `lead` bytes before the
// first thing in it.
class RangeWalk {
 public:
  RangeWalk(const Layout& layout, const BlockTree& tree) : layout_(layout), tree_(tree), ranges_(tree.nodes.size()) {}

  Result<std::vector<NodeRange>> run() {
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const TreeNode& node = tree_.nodes[i];
      ranges_[i].level = static_cast<std::uint32_t>(open_.size());
      if (node.is_leaf()) {
        place_leaf(i);
        if (!open_.empty()) --open_.back().wanted;
        close_finished();
      } else {
        if (!open_.empty()) --open_.back().wanted;
        open_.push_back({i, node.children});
        unplaced_.push_back(i);
      }
      if (!sound_) break;
    }
    sound_ = sound_ && slot_ == layout_.slots();
    if (!sound_) return Error{ErrorCode::corrupt, "a block tree does not fit its layout"};
    ranges_[0] = {0, position_ + layout_.literals.back().size(), 0};
    return std::move(ranges_);
  }

 private:
  struct Open {
    std::size_t node;
    std::uint32_t wanted;
  };

  void place_leaf(std::size_t i) {
    const TreeNode& node = tree_.nodes[i];
    if (node.opens_slot) {
      if (slot_ == layout_.slots()) {
        sound_ = false;
        return;
      }
      position_ += layout_.literals[slot_++].size();
    }
    ranges_[i].begin = position_;
    // Innermost first: each unplaced ancestor begins `lead` bytes before its first child.
    std::uint64_t begin = position_;
    for (; !unplaced_.empty(); unplaced_.pop_back()) {
      const std::size_t inner = unplaced_.back();
      const std::uint64_t lead = tree_.nodes[inner].lead;
      if (lead > begin) sound_ = false;
      begin -= std::min(begin, lead);
      ranges_[inner].begin = begin;
    }
    position_ += node.size;
    ranges_[i].end = position_;
    last_end_ = position_;
  }

  void close_finished() {
    while (!open_.empty() && open_.back().wanted == 0) {
      last_end_ += tree_.nodes[open_.back().node].tail;
      ranges_[open_.back().node].end = last_end_;
      open_.pop_back();
    }
  }

  const Layout& layout_;
  const BlockTree& tree_;
  std::vector<NodeRange> ranges_;
  std::vector<Open> open_;
  std::vector<std::size_t> unplaced_;  // inner nodes whose first leaf has not come yet
  std::size_t slot_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t last_end_ = 0;  // of the last closed node, leaf or inner
  bool sound_ = true;
};

}  // namespace

Result<std::vector<NodeRange>> node_ranges(const Layout& layout, const BlockTree& tree) {
  return RangeWalk(layout, tree).run();
}

}  // namespace blockarch
