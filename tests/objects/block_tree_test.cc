#include "objects/block_tree.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/decoder_checks.h"

using namespace blockarch;

namespace {

TreeNode leaf(const char* name, std::uint64_t size, bool opens_slot, ObjectKind kind = ObjectKind::block) {
  TreeNode node;
  node.content = ObjectId(kind, blake3(name));
  node.size = size;
  node.opens_slot = opens_slot;
  return node;
}

TreeNode inner(std::uint32_t children, std::uint64_t lead, std::uint64_t tail) {
  TreeNode node;
  node.children = children;
  node.lead = lead;
  node.tail = tail;
  return node;
}

const BlockTree kExample{{inner(2, 0, 0), leaf("a", 10, true), inner(2, 5, 6), leaf("b", 20, true),
                          leaf("c", 5000, false, ObjectKind::list)}};

}  // namespace

TEST_CASE("a block tree comes back as it was") {
  CHECK(decode_block_tree(encode_block_tree(kExample)).value() == kExample);
  const BlockTree empty_page{{leaf("", 0, true)}};
  CHECK(decode_block_tree(encode_block_tree(empty_page)).value() == empty_page);
}

TEST_CASE("the encoding of a block tree is pinned") {
  CHECK(hash_object(ObjectKind::tree, encode_block_tree(kExample)).hex() ==
        "6993c2c9e90294620bc03c3baea706d349a1c52e195721550a5e2caf86e86782");
}

TEST_CASE("a damaged block tree is refused or decodes to what encodes to the same bytes") {
  check_decoder(encode_block_tree(kExample), decode_block_tree, encode_block_tree);
}

TEST_CASE("a block tree whose child counts do not close is refused") {
  BlockTree too_few = kExample;
  too_few.nodes[0].children = 3;
  CHECK_FALSE(decode_block_tree(encode_block_tree(too_few)).has_value());
  BlockTree too_many = kExample;
  too_many.nodes[2].children = 1;
  CHECK_FALSE(decode_block_tree(encode_block_tree(too_many)).has_value());
}

TEST_CASE("the first leaf must open a slot") {
  BlockTree tree = kExample;
  tree.nodes[1].opens_slot = false;
  CHECK_FALSE(decode_block_tree(encode_block_tree(tree)).has_value());
}

TEST_CASE("a block tree deeper than the limit is refused") {
  BlockTree deep;
  for (std::uint32_t i = 0; i <= kMaxTreeDepth; ++i) deep.nodes.push_back(inner(1, 0, 0));
  deep.nodes.push_back(leaf("x", 1, true));
  CHECK_FALSE(decode_block_tree(encode_block_tree(deep)).has_value());
  deep.nodes.erase(deep.nodes.begin());
  CHECK(decode_block_tree(encode_block_tree(deep)).has_value());
}
