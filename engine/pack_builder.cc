// 1. Numbers of contents are given when a frame is filled, before it is compressed, and frames are written in the order
//    in which they were filled; so recipes can be written while frames are still being compressed.
// 2. Memory: one group, and a few frames in the making.
#include "engine/pack_builder.h"

#include <algorithm>

#include "pack/frames.h"

namespace blockarch {
namespace {

// Measured in docs/design/packs.md.
constexpr std::uint64_t kFrameBytes = 2 << 20;
constexpr std::uint64_t kRootBytes = 2 << 20;
constexpr std::uint64_t kMetadataFrameBytes = 1 << 20;
// A group is closed when it holds more.
constexpr std::uint64_t kGroupBytes = 8 << 20;
constexpr std::size_t kGroupVersions = 8192;
constexpr std::uint64_t kGroupMemory = 192 << 20;

}  // namespace

Result<bool> PackBuilder::takes(const Hash256& id) {
  if (!options_.takes) return true;
  return options_.takes(id);
}

Result<void> PackBuilder::begin_url() {
  if (group_ && group_->content_bytes() >= kGroupBytes) BA_TRY(flush_group());
  if (!group_) group_ = std::make_unique<PackGroup>(objects_);
  group_->begin_url();
  return {};
}

Result<void> PackBuilder::add_version(std::uint32_t number, const Hash256& id) {
  if (group_->versions().size() >= kGroupVersions || group_->memory() >= kGroupMemory) {
    BA_TRY(flush_group());
    group_ = std::make_unique<PackGroup>(objects_);
    group_->begin_url();
  }
  return group_->add_version(number, id);
}

Result<void> PackBuilder::add_metadata(std::uint32_t number, Bytes content) {
  if (metadata_bytes_ + content.size() > kMetadataFrameBytes) BA_TRY(flush_metadata());
  const std::uint32_t ordinal = metadata_++;
  writer_.number_metadata(options_.metadata_number ? options_.metadata_number(ordinal, number) : number);
  metadata_bytes_ += content.size();
  metadata_contents_.emplace_back(ObjectKind::metadata, std::move(content));
  return {};
}

Result<void> PackBuilder::flush_metadata() {
  if (metadata_contents_.empty()) return {};
  Job job;
  job.type = FrameType::metadata;
  for (const auto& [kind, content] : metadata_contents_) job.ids.push_back(hash_object(kind, content));
  auto raw = std::make_shared<const Bytes>(ContentFrame::encode(metadata_contents_));
  metadata_contents_.clear();
  metadata_bytes_ = 0;
  return submit(std::move(job), std::move(raw));
}

Result<void> PackBuilder::submit(Job job, std::shared_ptr<const Bytes> raw) {
  job.compressed = compressor_.compress(std::move(raw), job.prefix ? job.prefix->raw : nullptr);
  jobs_.push_back(std::move(job));
  return collect(options_.threads);
}

// Writes finished frames until no more than `leave` are being compressed.
Result<void> PackBuilder::collect(std::size_t leave) {
  while (jobs_.size() > leave) {
    Job& job = jobs_.front();
    const CompressedFrame frame = job.compressed.get();
    const auto prefix = job.prefix ? std::optional(job.prefix->frame) : std::nullopt;
    BA_ASSIGN(const std::uint32_t number, writer_.add_contents(job.type, job.ids, frame, prefix));
    if (job.is_root) job.is_root->frame = number;
    jobs_.pop_front();
  }
  return {};
}

Result<void> PackBuilder::write_frame(const std::vector<std::uint32_t>& members, const std::shared_ptr<Root>& prefix,
                                      const std::shared_ptr<Root>& is_root) {
  Job job;
  job.prefix = prefix;
  job.is_root = is_root;
  std::vector<std::pair<ObjectKind, Bytes>> objects;
  objects.reserve(members.size());
  for (const std::uint32_t i : members) {
    const ObjectId& id = group_->contents()[i].id;
    BA_ASSIGN(Bytes content, load(objects_, id));
    objects.emplace_back(id.kind, std::move(content));
    job.ids.push_back(id.hash);
    contents_.add(id.hash, next_content_++);
  }
  auto raw = std::make_shared<const Bytes>(ContentFrame::encode(objects));
  if (is_root) is_root->raw = raw;
  return submit(std::move(job), std::move(raw));
}

Result<void> PackBuilder::write_contents() {
  const auto& all = group_->contents();
  std::vector<bool> wanted(all.size(), false);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (contents_.find(all[i].id.hash)) continue;
    BA_ASSIGN(wanted[i], takes(all[i].id.hash));
    if (wanted[i]) bytes += all[i].size;
  }
  const std::vector<std::uint32_t> order = group_->lineage_order();
  std::vector<bool> in_root(all.size(), false);
  std::shared_ptr<Root> root;
  if (bytes > kFrameBytes && options_.codec.codec == FrameCodec::zstd) {
    in_root = group_->longest_lived(kRootBytes);
    root = std::make_shared<Root>();
    std::vector<std::uint32_t> members;
    for (const std::uint32_t i : order) {
      if (wanted[i] && in_root[i]) members.push_back(i);
    }
    if (members.empty()) {
      root = nullptr;
    } else {
      BA_TRY(write_frame(members, nullptr, root));
    }
  }
  std::vector<std::uint32_t> members;
  std::uint64_t filled = 0;
  for (const std::uint32_t i : order) {
    if (!wanted[i] || (root && in_root[i])) continue;
    if (!members.empty() && filled + all[i].size > kFrameBytes) {
      BA_TRY(write_frame(members, root, nullptr));
      members.clear();
      filled = 0;
    }
    members.push_back(i);
    filled += all[i].size;
  }
  if (!members.empty()) BA_TRY(write_frame(members, root, nullptr));
  return {};
}

Result<PackRef> PackBuilder::content_ref(const Hash256& id) {
  if (const auto number = contents_.find(id)) return PackRef{*number, false};
  return PackRef{writer_.external_content(id), true};
}

Result<PackRef> PackBuilder::list_ref(const Hash256& id) {
  if (const auto number = lists_.find(id)) return PackRef{*number, false};
  BA_ASSIGN(const bool here, takes(id));
  if (!here) return PackRef{writer_.external_list(id), true};
  ListRecipe recipe;
  for (const Chunk& chunk : group_->list(id).chunks) {
    BA_ASSIGN(const PackRef ref, content_ref(chunk.id.hash));
    recipe.chunks.push_back(ref);
  }
  BA_ASSIGN(const std::uint32_t number, writer_.add_list(id, recipe));
  lists_.add(id, number);
  return PackRef{number, false};
}

Result<VersionRecipe> PackBuilder::recipe_of(const GroupVersion& version) {
  VersionRecipe recipe;
  recipe.type = writer_.type_number(version.facts.type);
  recipe.payload_size = version.facts.payload_size;
  BA_ASSIGN(recipe.layout, content_ref(version.layout.hash));
  if (const auto same = trees_.find(version.tree_id)) {
    recipe.tree_back = versions_ - *same;
    return recipe;
  }
  recipe.nodes.reserve(version.tree.nodes.size());
  for (const TreeNode& node : version.tree.nodes) {
    RecipeNode& made = recipe.nodes.emplace_back();
    made.children = node.children;
    made.lead = node.lead;
    made.tail = node.tail;
    if (!node.is_leaf()) continue;
    made.opens_slot = node.opens_slot;
    made.is_list = node.content.kind == ObjectKind::list;
    BA_ASSIGN(made.content, made.is_list ? list_ref(node.content.hash) : content_ref(node.content.hash));
  }
  return recipe;
}

Result<void> PackBuilder::write_versions() {
  for (GroupVersion& version : group_->versions()) {
    BA_ASSIGN(const VersionRecipe recipe, recipe_of(version));
    const std::uint32_t number =
        options_.version_number ? options_.version_number(versions_, version.number) : version.number;
    BA_ASSIGN(const std::uint32_t ordinal,
              writer_.add_version({version.id, version.facts.payload_head, number, version.tree_id}, recipe));
    trees_.add(version.tree_id, ordinal);
    ++versions_;
    version.tree = {};
  }
  return {};
}

Result<void> PackBuilder::add_extra(const ObjectId& id) {
  if (!group_) BA_TRY(begin_url());
  if (id.kind == ObjectKind::list) {
    extra_lists_.push_back(id.hash);
    return group_->add_list(id.hash);
  }
  BA_ASSIGN(const Bytes content, load(objects_, id));
  group_->add_content(id, content.size());
  return {};
}

Result<void> PackBuilder::flush_group() {
  if (!group_) return {};
  BA_TRY(write_contents());
  BA_TRY(write_versions());
  for (const Hash256& id : extra_lists_) BA_TRY(list_ref(id));
  extra_lists_.clear();
  group_ = nullptr;
  return {};
}

Result<void> PackBuilder::finish() {
  BA_TRY(flush_group());
  BA_TRY(flush_metadata());
  return collect(0);
}

}  // namespace blockarch
