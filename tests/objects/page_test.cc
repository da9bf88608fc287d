#include "objects/page.h"

#include <catch2/catch_test_macros.hpp>

#include "objects/memory_store.h"

using namespace blockarch;

namespace {

TreeNode leaf(MemoryStore& store, const Bytes& bytes, bool opens_slot) {
  TreeNode node;
  node.content = ObjectId(ObjectKind::block, store.put(ObjectKind::block, bytes));
  node.size = bytes.size();
  node.opens_slot = opens_slot;
  return node;
}

// <main>[one][two]</main> with <ul>[three]</ul> inside a nested region.
struct Example {
  MemoryStore store;
  Layout layout{{"<main>", "<ul>", "</ul></main>"}};
  BlockTree tree;
  Version version;
  Bytes page = "<main>onetwo<ul>three</ul></main>";

  Example() {
    TreeNode root;
    root.children = 3;
    TreeNode list;
    list.children = 1;
    list.lead = 4;
    list.tail = 5;
    tree.nodes = {root, leaf(store, "one", true), leaf(store, "two", false), list, leaf(store, "three", true)};
    save();
  }

  void save() {
    version.payload_hash = blake3(page);
    version.payload_size = page.size();
    version.layout = {store.put(ObjectKind::layout, encode_layout(layout))};
    version.tree = {store.put(ObjectKind::tree, encode_block_tree(tree))};
  }
};

}  // namespace

TEST_CASE("a page is joined from layout and blocks") {
  const Example example;
  CHECK(join_page(example.store, example.version).value() == example.page);
}

TEST_CASE("node ranges say where each region stands in the page") {
  const Example example;
  const auto ranges = node_ranges(example.layout, example.tree).value();
  const auto text = [&](std::size_t i) {
    return example.page.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
  };
  CHECK(text(0) == example.page);
  CHECK(text(1) == "one");
  CHECK(text(2) == "two");
  CHECK(text(3) == "<ul>three</ul>");
  CHECK(text(4) == "three");
  CHECK(ranges[4].level == 2);
}

TEST_CASE("a page that does not hash to what was captured is an error") {
  Example example;
  example.page[8] = 'X';
  example.save();
  CHECK(join_page(example.store, example.version).error().code == ErrorCode::corrupt);
}

TEST_CASE("a missing block, a wrong size and a slot too many are errors") {
  Example missing;
  missing.tree.nodes[1].content.hash = blake3("nowhere");
  missing.save();
  CHECK(join_page(missing.store, missing.version).error().message.find("missing") != std::string::npos);

  Example wrong_size;
  wrong_size.tree.nodes[1].size = 4;
  wrong_size.save();
  CHECK(join_page(wrong_size.store, wrong_size.version).error().code == ErrorCode::corrupt);

  Example slots;
  slots.layout.literals.insert(slots.layout.literals.begin() + 1, "<hr>");
  slots.save();
  CHECK(join_page(slots.store, slots.version).error().code == ErrorCode::corrupt);
  CHECK(node_ranges(slots.layout, slots.tree).error().code == ErrorCode::corrupt);
}

TEST_CASE("a block that is a list is joined from its chunks") {
  Example example;
  BlockList list{{{BlockId{example.store.put(ObjectKind::block, "th")}, 2},
                  {BlockId{example.store.put(ObjectKind::block, "ree")}, 3}}};
  example.tree.nodes[4].content =
      ObjectId(ObjectKind::list, example.store.put(ObjectKind::list, encode_block_list(list)));
  example.save();
  CHECK(join_page(example.store, example.version).value() == example.page);
}
