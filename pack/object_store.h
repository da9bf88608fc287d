// All objects of an archive as of one moment: the loose ones and those in packs. What packs do not store (ids of blocks,
// whole payload hashes) is computed from what they do.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "objects/loose_store.h"
#include "objects/object_source.h"
#include "pack/pack.h"

namespace blockarch {

using PackList = std::vector<std::shared_ptr<const Pack>>;

// A version in a pack.
struct PackedVersion {
  const Pack* pack = nullptr;
  std::uint32_t ordinal = 0;
};

// What is told of a version without reading its page.
struct VersionFacts {
  std::uint64_t payload_head = 0;  // the first eight bytes of the payload's hash
  std::uint64_t payload_size = 0;
  VersionType type;
};

class ObjectStore final : public ObjectSource {
 public:
  // The transaction must outlive this.
  ObjectStore(const ReadTransaction& transaction, Table loose, PackList packs)
      : loose_(transaction, loose, this), packs_(std::move(packs)) {}
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  const PackList& packs() const { return packs_; }
  const LooseStore& loose() const { return loose_; }

  Result<std::optional<Object>> find(const Hash256& id) const override;
  Result<bool> contains(const Hash256& id) const override;
  Result<std::vector<Hash256>> find_prefix(std::string_view hex, std::size_t limit) const override;
  Result<VersionParts> version_parts(const VersionId& id) const override;
  // Nothing where the object is not here. Cheaper than find() for what packs do not hold as it is.
  Result<std::optional<ObjectKind>> kind_of(const Hash256& id) const;
  // In packs only.
  Result<std::optional<Object>> find_packed(const Hash256& id) const;
  Result<bool> is_packed(const Hash256& id) const;
  Result<std::optional<PackedVersion>> find_packed_version(const VersionId& id) const;

  // Where a pack has an object: number of a content or list, ordinal of a version (or of the one that has the tree) or of
  // metadata.
  Result<std::optional<Pack::RecipePlace>> locate(const Pack& pack, const Hash256& id) const;

  // By archive-wide number, in packs only.
  std::optional<PackedVersion> packed_version(std::uint32_t number) const;
  struct PackedMetadata {
    const Pack* pack = nullptr;
    std::uint32_t ordinal = 0;
  };
  std::optional<PackedMetadata> packed_metadata(std::uint32_t number) const;

  // The page's bytes, compared with what is kept of the payload's hash: always where the hash is asked for, else only until it
  // has come out right once (Pack::is_proven).
  Result<Bytes> page(const PackedVersion& version, Hash256* payload_hash = nullptr) const;
  Result<VersionFacts> facts(const PackedVersion& version) const;
  // Whole, with ids computed and compared with the version's own.
  Result<Version> version(const PackedVersion& version) const;
  Result<BlockTree> tree(const PackedVersion& version) const;
  Result<Hash256> layout_id(const PackedVersion& version) const;

  // What a list of a pack refers to.
  Result<BlockList> list(const Pack& pack, const PackRef& ref) const;
  Result<Hash256> list_id(const Pack& pack, const PackRef& ref) const;
  Result<Hash256> content_id(const Pack& pack, const PackRef& ref) const;

  // Adds the bytes of a version's blocks one after the other to `out`; used by page().
  struct Reading;

 private:
  // A content or metadata object in a pack.
  struct PackedContent {
    const Pack* pack = nullptr;
    std::uint32_t frame = 0;
    std::uint32_t at = 0;
    ObjectKind kind = ObjectKind::block;
    std::uint64_t size = 0;
  };
  Result<std::optional<PackedContent>> find_name(const Hash256& id) const;
  Result<std::optional<Pack::Content>> find_content(const Hash256& id) const;
  Result<std::optional<std::pair<const Pack*, Pack::RecipePlace>>> find_recipe(const Hash256& id) const;
  Result<std::optional<Pack::RecipePlace>> locate_recipe(const Pack& pack, const Hash256& id) const;
  Result<Bytes> recipe_content(const Pack& pack, const Pack::RecipePlace& place) const;
  Result<Pack::ContentName> name_of(const Pack& pack, const PackRef& ref) const;
  Result<Pack::Content> content_of(const Pack& pack, const PackRef& ref) const;

  LooseStore loose_;
  PackList packs_;
};

}  // namespace blockarch
