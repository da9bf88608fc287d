// How lists and versions are put together, in numbers of the pack instead of ids: what a list or a tree costs is then a
// byte or two for each of its blocks, and next to nothing where the one before it was the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

// A content or a list of this pack, by number; or one that stands elsewhere, by its place among the externals.
struct PackRef {
  std::uint32_t number = 0;
  bool external = false;
  auto operator<=>(const PackRef&) const = default;
};

struct ListRecipe {
  std::vector<PackRef> chunks;  // at least two
  bool operator==(const ListRecipe&) const = default;
};

// A node of a block tree (objects/block_tree.h). Sizes of leaves are those of what they refer to.
struct RecipeNode {
  std::uint32_t children = 0;  // 0 = a leaf
  bool opens_slot = false;
  bool is_list = false;
  PackRef content;
  std::uint64_t lead = 0;
  std::uint64_t tail = 0;

  bool is_leaf() const { return children == 0; }
  bool operator==(const RecipeNode&) const = default;
};

struct VersionRecipe {
  std::uint32_t type = 0;  // in PackDirectory::types
  std::uint64_t payload_size = 0;
  PackRef layout;
  // The tree is that of the version so many ordinals before; 0 = it stands here.
  std::uint32_t tree_back = 0;
  std::vector<RecipeNode> nodes;

  bool operator==(const VersionRecipe&) const = default;
};

Bytes encode_list_recipe(const ListRecipe& recipe);
Result<ListRecipe> decode_list_recipe(ByteView bytes);

Bytes encode_version_recipe(const VersionRecipe& recipe);
Result<VersionRecipe> decode_version_recipe(ByteView bytes);
// The same without the nodes.
Result<VersionRecipe> decode_version_head(ByteView bytes);

}  // namespace blockarch
