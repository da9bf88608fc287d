#include "engine/pack_group.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace blockarch {
namespace {

// Lives shorter than this are not told apart: their blocks stand together anyway.
constexpr std::uint32_t kShortestSpan = 16;

// The middle of the smallest node, over `versions` versions, that covers [first, last].
std::uint64_t node_of(std::uint32_t first, std::uint32_t last, std::uint32_t versions) {
  std::uint64_t low = 0;
  std::uint64_t high = versions;
  while (high - low > kShortestSpan) {
    const std::uint64_t middle = (low + high) / 2;
    if (last < middle) {
      high = middle;
    } else if (first >= middle) {
      low = middle;
    } else {
      break;
    }
  }
  return (low + high) / 2;
}

}  // namespace

void PackGroup::begin_url() {
  versions_of_url_.push_back(0);
}

void PackGroup::see(const ObjectId& id, std::uint64_t size) {
  const auto url = static_cast<std::uint32_t>(versions_of_url_.size() - 1);
  const std::uint32_t now = versions_of_url_.back();
  const auto [place, added] = places_.emplace(id.hash, contents_.size());
  if (added) {
    contents_.push_back({id, size, url, now, now, static_cast<std::uint32_t>(contents_.size())});
    content_bytes_ += size;
    memory_ += sizeof(GroupContent) + 80;
  } else if (GroupContent& known = contents_[place->second]; known.url == url) {
    known.last = now;
  }
}

Result<void> PackGroup::see_list(const Hash256& id) {
  auto known = lists_.find(id);
  if (known == lists_.end()) {
    BA_ASSIGN(BlockList list, load_block_list(objects_, ListId{id}));
    memory_ += list.chunks.size() * sizeof(Chunk) + 120;
    known = lists_.emplace(id, std::move(list)).first;
  }
  for (const Chunk& chunk : known->second.chunks) see(chunk.id, chunk.size);
  return {};
}

Result<void> PackGroup::add_version(std::uint32_t number, const Hash256& id) {
  GroupVersion version;
  version.number = number;
  version.id = id;
  std::uint64_t layout_size = 0;
  BA_ASSIGN(const bool loose, objects_.loose().contains(id));
  const auto packed = loose ? std::nullopt : objects_.packed_version(number);
  if (packed) {
    BA_ASSIGN(version.facts, objects_.facts(*packed));
    BA_ASSIGN(version.layout.hash, objects_.layout_id(*packed));
    BA_ASSIGN(version.tree, objects_.tree(*packed));
    version.tree_id = hash_object(ObjectKind::tree, encode_block_tree(version.tree));
  } else {
    BA_ASSIGN(const Version whole, load_version(objects_, VersionId{id}));
    version.facts = {head_of(whole.payload_hash),
                     whole.payload_size,
                     {whole.media_type, whole.charset, whole.segmenter, whole.level}};
    version.layout = whole.layout;
    version.tree_id = whole.tree.hash;
    BA_ASSIGN(version.tree, load_block_tree(objects_, whole.tree));
  }
  if (const auto known = places_.find(version.layout.hash); known != places_.end()) {
    layout_size = contents_[known->second].size;
  } else {
    BA_ASSIGN(const Bytes layout, load(objects_, version.layout));
    layout_size = layout.size();
  }
  see(version.layout, layout_size);
  for (const TreeNode& node : version.tree.nodes) {
    if (!node.is_leaf()) continue;
    if (node.content.kind == ObjectKind::block) {
      see(node.content, node.size);
    } else {
      BA_TRY(see_list(node.content.hash));
    }
  }
  memory_ += sizeof(GroupVersion) + version.tree.nodes.size() * sizeof(TreeNode);
  versions_.push_back(std::move(version));
  ++versions_of_url_.back();
  return {};
}

std::vector<std::uint32_t> PackGroup::lineage_order() const {
  std::vector<std::array<std::uint64_t, 4>> keys(contents_.size());
  for (std::size_t i = 0; i < contents_.size(); ++i) {
    const GroupContent& c = contents_[i];
    keys[i] = {c.url, node_of(c.first, c.last, versions_of_url_[c.url]), c.first, c.position};
  }
  std::vector<std::uint32_t> order(contents_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  return order;
}

std::vector<bool> PackGroup::longest_lived(std::uint64_t bytes) const {
  std::vector<std::uint32_t> order(contents_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto life = [this](std::uint32_t i) { return contents_[i].last - contents_[i].first; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return life(a) > life(b); });
  std::vector<bool> chosen(contents_.size(), false);
  std::uint64_t sum = 0;
  for (const std::uint32_t i : order) {
    if (sum + contents_[i].size > bytes) break;
    sum += contents_[i].size;
    chosen[i] = true;
  }
  return chosen;
}

}  // namespace blockarch
