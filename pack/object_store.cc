#include "pack/object_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockarch {
namespace {

constexpr int kWholeHead = 64;

Error missing(const Pack& pack, const Hash256& id) {
  return {ErrorCode::corrupt,
          fmt::format("object {}, which {} refers to, is missing: run blockarch fsck", short_id(id), pack.path())};
}

Error mismatch(const PackedVersion& version, std::string_view what) {
  return {ErrorCode::corrupt,
          fmt::format("version {} of {} {}: run blockarch fsck", version.ordinal, version.pack->path(), what)};
}

}  // namespace

Result<std::optional<ObjectStore::PackedContent>> ObjectStore::find_name(const Hash256& id) const {
  // Newest first: what is looked for is mostly recent.
  for (auto pack = packs_.rbegin(); pack != packs_.rend(); ++pack) {
    BA_ASSIGN(const auto frames, (*pack)->candidate_frame_numbers(head_of(id), kWholeHead));
    for (const std::uint32_t frame : frames) {
      BA_ASSIGN(const auto ids, (*pack)->frame_ids(frame));
      if (const auto at = ids->find(id)) {
        return std::optional(PackedContent{pack->get(), frame, *at, ids->kind(*at), ids->size(*at)});
      }
    }
  }
  return std::optional<PackedContent>();
}

Result<std::optional<Pack::Content>> ObjectStore::find_content(const Hash256& id) const {
  BA_ASSIGN(const auto name, find_name(id));
  if (!name) return std::optional<Pack::Content>();
  BA_ASSIGN(auto frame, name->pack->content_frame(name->frame));
  return std::optional(Pack::Content{std::move(frame), name->at});
}

Result<Pack::Content> ObjectStore::content_of(const Pack& pack, const PackRef& ref) const {
  if (!ref.external) return pack.content(ref.number);
  BA_ASSIGN(const Hash256 id, pack.external_content(ref.number));
  BA_ASSIGN(auto found, find_content(id));
  if (found) return std::move(*found);
  // Where the pack that held it was damaged, what could be saved of it is loose.
  BA_ASSIGN(auto loose, loose_.find(id));
  if (!loose || (loose->kind != ObjectKind::block && loose->kind != ObjectKind::layout)) return missing(pack, id);
  BA_ASSIGN(auto frame,
            ContentFrame::parse(ContentFrame::encode({{loose->kind, std::move(loose->content)}}), 1, false));
  return Pack::Content{std::move(frame), 0};
}

Result<Pack::ContentName> ObjectStore::name_of(const Pack& pack, const PackRef& ref) const {
  if (!ref.external) return pack.content_name(ref.number);
  BA_ASSIGN(const Hash256 id, pack.external_content(ref.number));
  BA_ASSIGN(const auto found, find_name(id));
  if (found) return Pack::ContentName{id, found->kind, found->size};
  BA_ASSIGN(const Pack::Content content, content_of(pack, ref));
  return Pack::ContentName{id, content.kind(), content.bytes().size()};
}

Result<Hash256> ObjectStore::content_id(const Pack& pack, const PackRef& ref) const {
  if (ref.external) return pack.external_content(ref.number);
  BA_ASSIGN(const Pack::ContentName name, pack.content_name(ref.number));
  return name.id;
}

Result<BlockList> ObjectStore::list(const Pack& pack, const PackRef& ref) const {
  if (ref.external) {
    BA_ASSIGN(const Hash256 id, pack.external_list(ref.number));
    return load_block_list(*this, ListId{id});
  }
  BA_ASSIGN(const ListRecipe recipe, pack.list(ref.number));
  BlockList list;
  list.chunks.reserve(recipe.chunks.size());
  for (const PackRef& chunk : recipe.chunks) {
    BA_ASSIGN(const Pack::ContentName name, name_of(pack, chunk));
    list.chunks.push_back({BlockId{name.id}, name.size});
  }
  return list;
}

Result<Hash256> ObjectStore::list_id(const Pack& pack, const PackRef& ref) const {
  if (ref.external) return pack.external_list(ref.number);
  BA_ASSIGN(const BlockList whole, list(pack, ref));
  return hash_object(ObjectKind::list, encode_block_list(whole));
}

Result<BlockTree> ObjectStore::tree(const PackedVersion& version) const {
  BA_ASSIGN(const VersionRecipe recipe, version.pack->version(version.ordinal));
  BlockTree tree;
  tree.nodes.reserve(recipe.nodes.size());
  for (const RecipeNode& node : recipe.nodes) {
    TreeNode& made = tree.nodes.emplace_back();
    made.children = node.children;
    made.lead = node.lead;
    made.tail = node.tail;
    if (!node.is_leaf()) continue;
    made.opens_slot = node.opens_slot;
    if (node.is_list) {
      BA_ASSIGN(const BlockList whole, list(*version.pack, node.content));
      made.size = whole.size();
      made.content = {ObjectKind::list, hash_object(ObjectKind::list, encode_block_list(whole))};
    } else {
      BA_ASSIGN(const Pack::ContentName name, name_of(*version.pack, node.content));
      made.size = name.size;
      made.content = {ObjectKind::block, name.id};
    }
  }
  return tree;
}

Result<Hash256> ObjectStore::layout_id(const PackedVersion& version) const {
  BA_ASSIGN(const VersionRecipe head, version.pack->version_head(version.ordinal));
  return content_id(*version.pack, head.layout);
}

// Gathers a page. Blocks of a page lie in few frames, so the last ones used are at hand without asking the cache.
struct ObjectStore::Reading {
  const ObjectStore& store;
  const Pack& pack;
  Bytes& out;
  std::uint64_t limit;
  std::vector<std::pair<std::uint32_t, Pack::Content>> held = {};  // number of a frame's first object, its first object
  bool own = true;                                                 // nothing so far stands elsewhere

  Result<void> append(const PackRef& ref) {
    own = own && !ref.external;
    if (!ref.external) {
      for (const auto& [first, content] : held) {
        if (ref.number - first < content.frame->count()) return append(content.frame->content(ref.number - first));
      }
    }
    BA_ASSIGN(const Pack::Content content, store.content_of(pack, ref));
    if (!ref.external) {
      constexpr std::size_t kHeld = 16;
      if (held.size() == kHeld) held.erase(held.begin());
      held.emplace_back(ref.number - content.at, content);
    }
    return append(content.bytes());
  }

  Result<void> append(ByteView bytes) {
    if (bytes.size() > limit - out.size()) {
      return Error{ErrorCode::corrupt,
                   fmt::format("a page of {} is larger than it says: run blockarch fsck", pack.path())};
    }
    out.append(bytes);
    return {};
  }

  Result<void> append_list(const PackRef& ref) {
    if (ref.external) {
      own = false;
      BA_ASSIGN(const Hash256 id, pack.external_list(ref.number));
      BA_ASSIGN(const BlockList list, load_block_list(store, ListId{id}));
      for (const Chunk& chunk : list.chunks) {
        BA_ASSIGN(const Bytes bytes, load(store, chunk.id));
        BA_TRY(append(bytes));
      }
      return {};
    }
    BA_ASSIGN(const ListRecipe recipe, pack.list(ref.number));
    for (const PackRef& chunk : recipe.chunks) BA_TRY(append(chunk));
    return {};
  }
};

Result<Bytes> ObjectStore::page(const PackedVersion& version, Hash256* payload_hash) const {
  BA_ASSIGN(const VersionRecipe recipe, version.pack->version(version.ordinal));
  BA_ASSIGN(const Pack::Content stored_layout, content_of(*version.pack, recipe.layout));
  BA_ASSIGN(const auto literals, layout_literals(stored_layout.bytes()));
  const std::size_t slots = literals.size() - 1;
  Bytes page;
  page.reserve(recipe.payload_size);
  Reading reading{*this, *version.pack, page, recipe.payload_size};
  std::size_t literal = 0;
  for (const RecipeNode& node : recipe.nodes) {
    if (!node.is_leaf()) continue;
    if (node.opens_slot) {
      if (literal == slots) return mismatch(version, "has more blocks than its layout has slots");
      BA_TRY(reading.append(literals[literal++]));
    }
    BA_TRY(node.is_list ? reading.append_list(node.content) : reading.append(node.content));
  }
  if (literal != slots) return mismatch(version, "has fewer blocks than its layout has slots");
  BA_TRY(reading.append(literals[literal]));
  if (page.size() != recipe.payload_size) return mismatch(version, "does not come out at its own size");
  if (!payload_hash && version.pack->is_proven(version.ordinal)) return page;
  BA_ASSIGN(const std::uint64_t expected, version.pack->payload_head(version.ordinal));
  const Hash256 hash = blake3(page);
  if (head_of(hash) != expected) return mismatch(version, "does not come out with its own hash");
  if (reading.own && !recipe.layout.external) version.pack->note_proven(version.ordinal);
  if (payload_hash) *payload_hash = hash;
  return page;
}

Result<VersionFacts> ObjectStore::facts(const PackedVersion& version) const {
  BA_ASSIGN(const VersionRecipe head, version.pack->version_head(version.ordinal));
  BA_ASSIGN(const VersionType* type, version.pack->type(head));
  BA_ASSIGN(const std::uint64_t payload, version.pack->payload_head(version.ordinal));
  return VersionFacts{payload, head.payload_size, *type};
}

Result<Version> ObjectStore::version(const PackedVersion& packed) const {
  BA_ASSIGN(const VersionFacts known, facts(packed));
  Hash256 payload_hash;
  BA_TRY(page(packed, &payload_hash));
  BA_ASSIGN(const Hash256 layout, layout_id(packed));
  BA_ASSIGN(const BlockTree whole, tree(packed));
  const Version version{{payload_hash, known.payload_size, known.type.media_type, known.type.charset,
                         known.type.segmenter, known.type.level},
                        LayoutId{layout},
                        TreeId{hash_object(ObjectKind::tree, encode_block_tree(whole))}};
  BA_ASSIGN(const Hash256 id, packed.pack->version_id(packed.ordinal));
  if (id_of(version).hash != id) return mismatch(packed, "does not come out with its own id");
  return version;
}

Result<VersionParts> ObjectStore::version_parts(const VersionId& id) const {
  BA_ASSIGN(const bool loose, loose_.contains(id.hash));
  if (loose) return ObjectSource::version_parts(id);
  BA_ASSIGN(const auto packed, find_packed_version(id));
  if (!packed) return ObjectSource::version_parts(id);
  BA_ASSIGN(const VersionFacts known, facts(*packed));
  BA_ASSIGN(const Hash256 layout, layout_id(*packed));
  BA_ASSIGN(BlockTree whole, tree(*packed));
  return VersionParts{{Hash256(), known.payload_size, known.type.media_type, known.type.charset, known.type.segmenter,
                       known.type.level},
                      {layout},
                      std::move(whole)};
}

Result<Bytes> ObjectStore::recipe_content(const Pack& pack, const Pack::RecipePlace& place) const {
  if (place.kind == ObjectKind::list) {
    BA_ASSIGN(const BlockList whole, list(pack, {place.number, false}));
    return encode_block_list(whole);
  }
  const PackedVersion packed{&pack, place.number};
  if (place.kind == ObjectKind::tree) {
    BA_ASSIGN(const BlockTree whole, tree(packed));
    return encode_block_tree(whole);
  }
  BA_ASSIGN(const Version whole, version(packed));
  return encode_version(whole);
}

Result<std::optional<Pack::RecipePlace>> ObjectStore::locate_recipe(const Pack& pack, const Hash256& id) const {
  BA_ASSIGN(const auto places, pack.candidate_recipes(head_of(id), kWholeHead));
  for (const Pack::RecipePlace& place : places) {
    if (place.kind == ObjectKind::version) {
      BA_ASSIGN(const Hash256 own, pack.version_id(place.number));
      if (own == id) return std::optional(place);
      continue;
    }
    BA_ASSIGN(const Bytes content, recipe_content(pack, place));
    if (hash_object(place.kind, content) == id) return std::optional(place);
  }
  return std::optional<Pack::RecipePlace>();
}

Result<std::optional<Pack::RecipePlace>> ObjectStore::locate(const Pack& pack, const Hash256& id) const {
  BA_ASSIGN(const auto numbers, pack.candidate_frame_numbers(head_of(id), kWholeHead));
  for (const std::uint32_t number : numbers) {
    BA_ASSIGN(const auto ids, pack.frame_ids(number));
    if (const auto at = ids->find(id)) {
      return std::optional(Pack::RecipePlace{ids->kind(*at), pack.directory().frames[number].first + *at});
    }
  }
  return locate_recipe(pack, id);
}

Result<std::optional<std::pair<const Pack*, Pack::RecipePlace>>> ObjectStore::find_recipe(const Hash256& id) const {
  using Found = std::optional<std::pair<const Pack*, Pack::RecipePlace>>;
  for (auto pack = packs_.rbegin(); pack != packs_.rend(); ++pack) {
    BA_ASSIGN(const auto place, locate_recipe(**pack, id));
    if (place) return Found(std::pair(pack->get(), *place));
  }
  return Found();
}

Result<std::optional<Object>> ObjectStore::find_packed(const Hash256& id) const {
  BA_ASSIGN(const auto content, find_content(id));
  if (content) return std::optional(Object{content->kind(), Bytes(content->bytes())});
  BA_ASSIGN(const auto recipe, find_recipe(id));
  if (!recipe) return std::optional<Object>();
  BA_ASSIGN(Bytes bytes, recipe_content(*recipe->first, recipe->second));
  return std::optional(Object{recipe->second.kind, std::move(bytes)});
}

Result<std::optional<ObjectKind>> ObjectStore::kind_of(const Hash256& id) const {
  BA_ASSIGN(const bool loose, loose_.contains(id));
  if (loose) {
    BA_ASSIGN(const auto object, loose_.find(id));
    return object ? std::optional(object->kind) : std::nullopt;
  }
  // Whether an id is a version's is told by comparing ids; of anything else, contents must be hashed to be sure.
  BA_ASSIGN(const auto version, find_packed_version(VersionId{id}));
  if (version) return std::optional(ObjectKind::version);
  BA_ASSIGN(const auto content, find_name(id));
  if (content) return std::optional(content->kind);
  BA_ASSIGN(const auto recipe, find_recipe(id));
  return recipe ? std::optional(recipe->second.kind) : std::nullopt;
}

Result<bool> ObjectStore::is_packed(const Hash256& id) const {
  BA_ASSIGN(const auto content, find_name(id));
  if (content) return true;
  BA_ASSIGN(const auto recipe, find_recipe(id));
  return recipe.has_value();
}

Result<std::optional<PackedVersion>> ObjectStore::find_packed_version(const VersionId& id) const {
  for (auto pack = packs_.rbegin(); pack != packs_.rend(); ++pack) {
    BA_ASSIGN(const auto places, (*pack)->candidate_recipes(head_of(id.hash), kWholeHead));
    for (const Pack::RecipePlace& place : places) {
      if (place.kind != ObjectKind::version) continue;
      BA_ASSIGN(const Hash256 own, (*pack)->version_id(place.number));
      if (own == id.hash) return std::optional(PackedVersion{pack->get(), place.number});
    }
  }
  return std::optional<PackedVersion>();
}

Result<std::optional<Object>> ObjectStore::find(const Hash256& id) const {
  BA_ASSIGN(auto found, loose_.find(id));
  if (found || packs_.empty()) return found;
  return find_packed(id);
}

Result<bool> ObjectStore::contains(const Hash256& id) const {
  BA_ASSIGN(const bool loose, loose_.contains(id));
  if (loose || packs_.empty()) return loose;
  return is_packed(id);
}

Result<std::vector<Hash256>> ObjectStore::find_prefix(std::string_view hex, std::size_t limit) const {
  BA_ASSIGN(std::vector<Hash256> found, loose_.find_prefix(hex, limit));
  std::string padded(hex);
  for (char& c : padded) c = static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c);
  const std::string low = padded;
  padded.resize(64, '0');
  const auto from = Hash256::from_hex(padded);
  if (!from) return found;
  const int bits = static_cast<int>(std::min<std::size_t>(hex.size() * 4, kWholeHead));
  const auto add = [&](const Hash256& id) {
    if (id.hex().starts_with(low)) found.push_back(id);
  };
  for (const auto& pack : packs_) {
    BA_ASSIGN(const auto frames, pack->candidate_frame_numbers(head_of(*from), bits));
    for (const std::uint32_t frame : frames) {
      BA_ASSIGN(const auto ids, pack->frame_ids(frame));
      for (std::uint32_t i = 0; i < ids->count(); ++i) add(ids->id(i));
    }
    BA_ASSIGN(const auto places, pack->candidate_recipes(head_of(*from), bits));
    for (const Pack::RecipePlace& place : places) {
      if (place.kind == ObjectKind::version) {
        BA_ASSIGN(const Hash256 own, pack->version_id(place.number));
        add(own);
      } else {
        BA_ASSIGN(const Bytes content, recipe_content(*pack, place));
        add(hash_object(place.kind, content));
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.size() > limit) found.resize(limit);
  return found;
}

std::optional<PackedVersion> ObjectStore::packed_version(std::uint32_t number) const {
  for (const auto& pack : packs_) {
    if (const auto ordinal = pack->version_ordinal(number)) return PackedVersion{pack.get(), *ordinal};
  }
  return std::nullopt;
}

std::optional<ObjectStore::PackedMetadata> ObjectStore::packed_metadata(std::uint32_t number) const {
  for (const auto& pack : packs_) {
    if (const auto ordinal = pack->metadata_ordinal(number)) return PackedMetadata{pack.get(), *ordinal};
  }
  return std::nullopt;
}

}  // namespace blockarch
