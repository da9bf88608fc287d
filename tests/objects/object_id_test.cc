#include "objects/object_id.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("an id is the BLAKE3 hash of kind, length and content") {
  const Bytes hashed("block 5\0hello", 13);
  CHECK(hash_object(ObjectKind::block, "hello") == blake3(hashed));
}

TEST_CASE("a long object hashes as a short one does") {
  const Bytes content(100'000, 'x');
  Bytes hashed = "layout 100000";
  hashed.push_back('\0');
  CHECK(hash_object(ObjectKind::layout, content) == blake3(hashed + content));
}

TEST_CASE("the same content under another kind has another id") {
  CHECK(hash_object(ObjectKind::block, "x") != hash_object(ObjectKind::layout, "x"));
  CHECK(hash_object(ObjectKind::tree, "") != hash_object(ObjectKind::version, ""));
}

TEST_CASE("the digest of a block is pinned") {
  CHECK(hash_object(ObjectKind::block, "").hex() == "d5767c0c7e86618fb6f01bb883be47c04cf5075109b9ba96e5b46982d5e6eb31");
  CHECK(hash_object(ObjectKind::block, "<p>Hello</p>\n").hex() ==
        "cad003a62a843be96178b59b14ad04db145eaf52443a0ff9984d65b7c1b53947");
}

TEST_CASE("kind numbers are those of the format and others are refused") {
  CHECK(*kind_from_number(1) == ObjectKind::block);
  CHECK(*kind_from_number(6) == ObjectKind::metadata);
  CHECK(kind_from_number(0).error().code == ErrorCode::corrupt);
  CHECK(kind_from_number(7).error().code == ErrorCode::corrupt);
}

TEST_CASE("ids of different kinds do not mix") {
  STATIC_CHECK(!std::is_convertible_v<LayoutId, TreeId>);
  STATIC_CHECK(!std::is_constructible_v<BlockId, ListId>);
  STATIC_CHECK(std::is_convertible_v<LayoutId, ObjectId>);
  const LayoutId layout{blake3("x")};
  CHECK(ObjectId(layout).kind == ObjectKind::layout);
  CHECK(ObjectId(layout).text().starts_with("layout "));
}
