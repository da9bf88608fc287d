#include "objects/object_source.h"

#include <catch2/catch_test_macros.hpp>

#include "objects/memory_store.h"

using namespace blockarch;

TEST_CASE("an object of another kind than its reference says is reported") {
  MemoryStore store;
  const Hash256 id = store.put(ObjectKind::block, "x");
  const auto loaded = load(store, ObjectId(ObjectKind::layout, id));
  CHECK(loaded.error().code == ErrorCode::corrupt);
  CHECK(loaded.error().message.find("stored as a block") != std::string::npos);
}

TEST_CASE("a malformed object is reported with its id") {
  MemoryStore store;
  const Hash256 id = store.put(ObjectKind::tree, "not a tree");
  CHECK(load_block_tree(store, TreeId{id}).error().message.find(short_id(id)) != std::string::npos);
}

TEST_CASE("the beginning of an id is enough where it is unique") {
  MemoryStore store;
  std::vector<Hash256> ids;
  for (int i = 0; i < 2000; ++i) ids.push_back(store.put(ObjectKind::block, std::to_string(i)));
  CHECK(resolve_prefix(store, ids[7].hex()).value() == ids[7]);
  CHECK(resolve_prefix(store, ids[7].hex().substr(0, 12)).value() == ids[7]);
  CHECK(resolve_prefix(store, "abc").error().code == ErrorCode::invalid);
  CHECK(resolve_prefix(store, "xyzw").error().code == ErrorCode::invalid);
  CHECK(resolve_prefix(store, std::string(64, '0')).error().code == ErrorCode::not_found);
  // 2,000 ids and 65,536 four-digit beginnings: some are shared.
  std::size_t ambiguous = 0;
  for (const Hash256& id : ids) {
    const auto found = resolve_prefix(store, id.hex().substr(0, 4));
    if (!found) {
      CHECK(found.error().code == ErrorCode::invalid);
      ++ambiguous;
    }
  }
  CHECK(ambiguous > 0);
}
