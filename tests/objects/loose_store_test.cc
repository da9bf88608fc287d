#include "objects/loose_store.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/temporary_directory.h"

using namespace blockarch;

namespace {

struct Store {
  TemporaryDirectory directory;
  Lmdb lmdb;
  Table table;

  Store() : lmdb(Lmdb::open(directory.path() + "/hot.mdb", options()).value()), table(lmdb.table(kLooseTable)) {}

  static LmdbOptions options() {
    LmdbOptions o;
    o.create = true;
    o.tables = {kLooseTable};
    return o;
  }

  void put(const LooseObject& object) { put_raw(object.id.hash, object.value); }

  void put_raw(const Hash256& id, const Bytes& value) {
    REQUIRE(lmdb.write([&](WriteTransaction& t) { return t.put(table, id.view(), value); }));
  }
};

ObjectId id_for(ObjectKind kind, const Bytes& content) {
  return ObjectId(kind, hash_object(kind, content));
}

}  // namespace

TEST_CASE("objects come back from the loose store with kind and content") {
  Store store;
  const std::vector<Bytes> contents = {"", "x", Bytes(100'000, 'a'), Bytes("\0\1\2", 3), "incompressible 8f3k"};
  for (const Bytes& content : contents) store.put(make_loose_object(id_for(ObjectKind::block, content), content));
  const auto read = store.lmdb.read();
  const LooseStore objects(*read, store.table);
  for (const Bytes& content : contents) {
    const auto object = objects.find(hash_object(ObjectKind::block, content)).value();
    REQUIRE(object);
    CHECK(object->content == content);
    CHECK(object->kind == ObjectKind::block);
  }
  CHECK_FALSE(objects.find(blake3("nowhere")).value());
  CHECK(objects.contains(hash_object(ObjectKind::block, "x")).value());
}

TEST_CASE("similar objects are stored as differences, and chains of them are bounded") {
  Store store;
  Bytes content;
  for (int i = 0; i < 200; ++i) content += blake3(std::to_string(i)).view();
  std::optional<LooseBase> base;
  std::size_t whole = 0;
  std::size_t differences = 0;
  for (int i = 0; i < 100; ++i) {
    content.replace(static_cast<std::size_t>(i) * 32, 32, blake3("changed " + std::to_string(i)).view());
    const LooseObject object = make_loose_object(id_for(ObjectKind::tree, content), content, base ? &*base : nullptr);
    store.put(object);
    const auto stored = LooseStore::describe(object.value).value();
    (stored.base ? differences : whole) += 1;
    CHECK(stored.depth <= kMaxLooseDepth);
    if (stored.base) CHECK(object.value.size() < 200);
    const auto read = store.lmdb.read();
    base = LooseStore(*read, store.table).find_base(object.id.hash).value();
    CHECK(LooseStore(*read, store.table).find(object.id.hash).value()->content == content);
  }
  CHECK(whole == 4);
  CHECK(differences == 96);
}

TEST_CASE("every flipped byte of a stored object is noticed") {
  Store store;
  const Bytes content = "<p>Some text that compresses, that compresses well, that compresses</p>";
  const LooseObject object = make_loose_object(id_for(ObjectKind::block, content), content);
  for (std::size_t i = 0; i < object.value.size(); ++i) {
    for (const int flip : {1, 16, 128, 255}) {
      Bytes value = object.value;
      value[i] = static_cast<char>(value[i] ^ flip);
      store.put_raw(object.id.hash, value);
      const auto read = store.lmdb.read();
      const auto found = LooseStore(*read, store.table).find(object.id.hash);
      INFO("byte " << i << " changed by " << flip);
      // zstd ignores some bits of its frame head; then the content is right all the same.
      if (found.has_value()) {
        REQUIRE((*found)->content == content);
      } else {
        REQUIRE(found.error().code == ErrorCode::corrupt);
      }
    }
  }
}

TEST_CASE("a chain of differences that loops or has lost its base is corrupt") {
  Store store;
  Bytes first;
  for (int i = 0; i < 50; ++i) first += blake3(std::to_string(i)).view();
  Bytes second = first;
  second.replace(0, 32, blake3("other").view());
  const LooseBase base{hash_object(ObjectKind::tree, first), 0, first};
  const LooseObject object = make_loose_object(id_for(ObjectKind::tree, second), second, &base);
  REQUIRE(LooseStore::describe(object.value)->base);
  store.put(object);
  {
    const auto read = store.lmdb.read();
    CHECK(LooseStore(*read, store.table).find(object.id.hash).error().message.find("missing") != std::string::npos);
  }
  // The base's own entry claims to be a difference from the object.
  Bytes looped = object.value;
  looped.replace(looped.find(base.id.view()), 32, object.id.hash.view());
  store.put_raw(base.id, looped);
  const auto read = store.lmdb.read();
  CHECK(LooseStore(*read, store.table).find(object.id.hash).error().code == ErrorCode::corrupt);
}

TEST_CASE("a stored object that claims a gigantic size is refused before anything is allocated") {
  Store store;
  const Hash256 id = blake3("x");
  store.put_raw(id, Bytes("\x11\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10));
  const auto read = store.lmdb.read();
  CHECK(LooseStore(*read, store.table).find(id).error().code == ErrorCode::corrupt);
}

TEST_CASE("ids are found by their beginning in the loose store") {
  Store store;
  for (int i = 0; i < 300; ++i) {
    const Bytes content = std::to_string(i);
    store.put(make_loose_object(id_for(ObjectKind::block, content), content));
  }
  const auto read = store.lmdb.read();
  const LooseStore objects(*read, store.table);
  const Hash256 id = hash_object(ObjectKind::block, "42");
  CHECK(resolve_prefix(objects, id.hex().substr(0, 9)).value() == id);
  std::string upper = id.hex().substr(0, 11);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  CHECK(resolve_prefix(objects, upper).value() == id);
  CHECK(objects.find_prefix("", 1000).value().size() == 300);
  CHECK(objects.find_prefix("", 7).value().size() == 7);
}
