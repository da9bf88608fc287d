// Within a record, what can repeat from one version to the next stands together: the shape of the tree, then what its
// leaves refer to, each as the step from the one before, so that a run of blocks stored one after the other is a run of
// equal bytes.
#include "pack/recipe.h"

#include "base/coding.h"
#include "objects/block_tree.h"
#include "objects/object_id.h"
#include "objects/version.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kOpensSlot = 1;
constexpr std::uint64_t kIsList = 2;
constexpr std::uint64_t kExternal = 4;
constexpr int kChildrenShift = 3;

// Numbers of one sequence as steps.
class Steps {
 public:
  void put(Bytes& out, std::uint32_t number) {
    put_zigzag(out, std::int64_t{number} - last_);
    last_ = number;
  }
  std::uint32_t read(ByteReader& reader) {
    const std::int64_t step = reader.zigzag();
    const bool fits = step >= -std::int64_t{UINT32_MAX} && step <= std::int64_t{UINT32_MAX};
    const std::int64_t number = fits ? last_ + step : -1;
    if (number < 0 || number > std::int64_t{UINT32_MAX}) {
      reader.fail();
      return 0;
    }
    last_ = number;
    return static_cast<std::uint32_t>(number);
  }

 private:
  std::int64_t last_ = 0;
};

struct LeafSteps {
  Steps contents;
  Steps lists;
  Steps external_contents;
  Steps external_lists;

  Steps& of(const RecipeNode& node) {
    if (node.content.external) return node.is_list ? external_lists : external_contents;
    return node.is_list ? lists : contents;
  }
};

void put_ref(Bytes& out, const PackRef& ref) {
  put_varint(out, std::uint64_t{ref.number} << 1 | (ref.external ? 1 : 0));
}

PackRef read_ref(ByteReader& reader) {
  const std::uint64_t value = reader.varint_up_to(std::uint64_t{UINT32_MAX} << 1 | 1);
  return {static_cast<std::uint32_t>(value >> 1), (value & 1) != 0};
}

void put_shape(Bytes& out, const RecipeNode& node, bool is_root) {
  std::uint64_t head = std::uint64_t{node.children} << kChildrenShift;
  if (node.is_leaf()) {
    head |= (node.opens_slot ? kOpensSlot : 0) | (node.is_list ? kIsList : 0) | (node.content.external ? kExternal : 0);
  }
  put_varint(out, head);
  if (!node.is_leaf() && !is_root) {
    put_varint(out, node.lead);
    put_varint(out, node.tail);
  }
}

RecipeNode read_shape(ByteReader& reader, bool is_root) {
  RecipeNode node;
  const std::uint64_t head = reader.varint_up_to(kMaxTreeNodes << kChildrenShift | 7);
  node.children = static_cast<std::uint32_t>(head >> kChildrenShift);
  if (node.is_leaf()) {
    node.opens_slot = head & kOpensSlot;
    node.is_list = head & kIsList;
    node.content.external = head & kExternal;
  } else {
    if (head & 7) reader.fail();
    if (!is_root) {
      node.lead = reader.varint_up_to(kMaxObjectSize);
      node.tail = reader.varint_up_to(kMaxObjectSize);
    }
  }
  return node;
}

VersionRecipe read_head(ByteReader& reader) {
  VersionRecipe recipe;
  recipe.type = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  recipe.payload_size = reader.varint_up_to(kMaxPayload);
  recipe.layout = read_ref(reader);
  recipe.tree_back = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  return recipe;
}

}  // namespace

Bytes encode_list_recipe(const ListRecipe& recipe) {
  bool externals = false;
  for (const PackRef& chunk : recipe.chunks) externals |= chunk.external;
  Bytes out;
  put_varint(out, std::uint64_t{recipe.chunks.size()} << 1 | (externals ? 1 : 0));
  Steps local;
  Steps external;
  for (const PackRef& chunk : recipe.chunks) {
    if (externals) out.push_back(chunk.external ? 1 : 0);
    (chunk.external ? external : local).put(out, chunk.number);
  }
  return out;
}

Result<ListRecipe> decode_list_recipe(ByteView bytes) {
  ByteReader reader(bytes);
  const std::uint64_t head = reader.varint();
  const std::uint64_t count = head >> 1;
  if (count < 2 || count > reader.rest().size()) reader.fail();
  ListRecipe recipe;
  if (reader.ok()) recipe.chunks.reserve(count);
  Steps local;
  Steps external;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    const std::uint8_t mark = head & 1 ? reader.byte() : std::uint8_t{0};
    if (mark > 1) reader.fail();
    const std::uint32_t number = (mark ? external : local).read(reader);
    recipe.chunks.push_back({number, mark != 0});
  }
  BA_TRY(reader.finish("a list of a pack"));
  return recipe;
}

Bytes encode_version_recipe(const VersionRecipe& recipe) {
  Bytes out;
  put_varint(out, recipe.type);
  put_varint(out, recipe.payload_size);
  put_ref(out, recipe.layout);
  put_varint(out, recipe.tree_back);
  if (recipe.tree_back != 0) return out;
  put_varint(out, recipe.nodes.size());
  for (std::size_t i = 0; i < recipe.nodes.size(); ++i) put_shape(out, recipe.nodes[i], i == 0);
  LeafSteps steps;
  for (const RecipeNode& node : recipe.nodes) {
    if (node.is_leaf()) steps.of(node).put(out, node.content.number);
  }
  return out;
}

Result<VersionRecipe> decode_version_head(ByteView bytes) {
  ByteReader reader(bytes);
  VersionRecipe recipe = read_head(reader);
  if (!reader.ok()) return Error{ErrorCode::corrupt, "a version of a pack is malformed"};
  return recipe;
}

Result<VersionRecipe> decode_version_recipe(ByteView bytes) {
  ByteReader reader(bytes);
  VersionRecipe recipe = read_head(reader);
  if (recipe.tree_back == 0) {
    const std::uint64_t count = reader.varint_up_to(std::min<std::uint64_t>(kMaxTreeNodes, reader.rest().size()));
    if (count == 0) reader.fail();
    if (reader.ok()) recipe.nodes.reserve(count);
    for (std::uint64_t i = 0; reader.ok() && i < count; ++i) recipe.nodes.push_back(read_shape(reader, i == 0));
    LeafSteps steps;
    for (RecipeNode& node : recipe.nodes) {
      if (node.is_leaf()) node.content.number = steps.of(node).read(reader);
    }
  }
  BA_TRY(reader.finish("a version of a pack"));
  return recipe;
}

}  // namespace blockarch
