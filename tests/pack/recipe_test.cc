#include "pack/recipe.h"

#include "tests/support/decoder_checks.h"

using namespace blockarch;

namespace {

ListRecipe a_list(bool externals) {
  return {{{5, false}, {6, false}, {7, false}, {2, externals}, {1'000'000, false}, {3, externals}}};
}

VersionRecipe a_version() {
  VersionRecipe recipe;
  recipe.type = 3;
  recipe.payload_size = 123'456;
  recipe.layout = {17, true};
  recipe.nodes = {{.children = 4},
                  {.opens_slot = true, .content = {900, false}},
                  {.opens_slot = false, .is_list = true, .content = {12, false}},
                  {.children = 1, .lead = 8, .tail = 300},
                  {.opens_slot = true, .content = {901, false}},
                  {.opens_slot = true, .is_list = true, .content = {0, true}}};
  return recipe;
}

}  // namespace

TEST_CASE("a list of a pack comes back as it was") {
  for (const bool externals : {false, true}) {
    const ListRecipe list = a_list(externals);
    CHECK(decode_list_recipe(encode_list_recipe(list)).value() == list);
    check_decoder(encode_list_recipe(list), decode_list_recipe, encode_list_recipe);
  }
}

TEST_CASE("blocks that were stored one after the other cost a byte each") {
  ListRecipe list;
  for (std::uint32_t i = 0; i < 500; ++i) list.chunks.push_back({70'000 + i, false});
  CHECK(encode_list_recipe(list).size() < 510);
}

TEST_CASE("a version of a pack comes back as it was") {
  const VersionRecipe version = a_version();
  CHECK(decode_version_recipe(encode_version_recipe(version)).value() == version);
  check_decoder(encode_version_recipe(version), decode_version_recipe, encode_version_recipe);
  const VersionRecipe head = decode_version_head(encode_version_recipe(version)).value();
  CHECK(head.nodes.empty());
  CHECK(head.payload_size == version.payload_size);
  CHECK(head.layout == version.layout);
}

TEST_CASE("a version may share the tree of an earlier one") {
  VersionRecipe version = a_version();
  version.nodes.clear();
  version.tree_back = 9;
  CHECK(encode_version_recipe(version).size() < 12);
  CHECK(decode_version_recipe(encode_version_recipe(version)).value() == version);
}
