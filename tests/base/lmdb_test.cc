#include "base/lmdb.h"

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/base/lmdb_store.h"

using namespace blockarch;

TEST_CASE("a table that is cleared is empty and can be filled again, others stay") {
  Store store;
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    for (int i = 0; i < 5000; ++i) BA_TRY(t.put(store.a, "key " + std::to_string(i), Bytes(100, 'x')));
    BA_TRY(t.put(store.a, "big", Bytes(100'000, 'y')));
    return t.put(store.b, "k", "v");
  }));
  const auto before = store.lmdb.read();
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    BA_TRY(t.clear(store.a));
    BA_ASSIGN(const auto gone, t.get(store.a, "key 7"));
    CHECK_FALSE(gone);
    return t.append(store.a, "again", "z");
  }));
  CHECK(before->stats(store.a)->entries == 5001);
  const auto after = store.lmdb.read();
  CHECK(after->stats(store.a)->entries == 1);
  CHECK(after->get(store.a, "again")->value() == "z");
  CHECK(after->get(store.b, "k")->value() == "v");
  CHECK(store.lmdb.usage()->free_pages > 150);
}

TEST_CASE("what was put is read, replaced and erased") {
  Store store;
  CHECK_FALSE(store.get("k"));
  REQUIRE(store.put("k", "one"));
  CHECK(store.get("k") == "one");
  REQUIRE(store.put("k", ""));
  CHECK(store.get("k") == "");
  REQUIRE(store.put("k", Bytes(100'000, 'x')));
  CHECK(store.get("k") == Bytes(100'000, 'x'));
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    BA_ASSIGN(const bool first, t.erase(store.a, "k"));
    BA_ASSIGN(const bool second, t.erase(store.a, "k"));
    CHECK(first);
    CHECK_FALSE(second);
    return {};
  }));
  CHECK_FALSE(store.get("k"));
}

TEST_CASE("put_new keeps what is there and says so") {
  Store store;
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    CHECK(*t.put_new(store.a, "k", "one"));
    CHECK_FALSE(*t.put_new(store.a, "k", "two"));
    return {};
  }));
  CHECK(store.get("k") == "one");
}

TEST_CASE("tables do not see each other's keys") {
  Store store;
  REQUIRE(store.put("k", "in a"));
  const auto t = store.lmdb.read();
  REQUIRE(t);
  CHECK_FALSE(*t->get(store.b, "k"));
  CHECK(t->stats(store.a)->entries == 1);
  CHECK(t->stats(store.a)->pages == 1);
  CHECK(t->stats(store.a)->depth == 1);
  CHECK(t->stats(store.b)->entries == 0);
}

TEST_CASE("an error inside a write rolls everything back and is returned") {
  Store store;
  REQUIRE(store.put("k", "before"));
  const auto result = store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    BA_TRY(t.put(store.a, "k", "after"));
    CHECK(**t.get(store.a, "k") == "after");
    return Error{ErrorCode::too_large, "no"};
  });
  CHECK(code_of(result) == ErrorCode::too_large);
  CHECK(store.get("k") == "before");
}

TEST_CASE("an exception inside a write rolls everything back and leaves the environment usable") {
  Store store;
  const auto change = [&](WriteTransaction& t) -> Result<void> {
    BA_TRY(t.put(store.a, "k", "lost"));
    throw std::runtime_error("oops");
  };
  CHECK_THROWS_AS(store.lmdb.write(change).has_value(), std::runtime_error);
  CHECK_FALSE(store.get("k"));
  REQUIRE(store.put("k", "kept"));
  CHECK(store.get("k") == "kept");
}

TEST_CASE("a read transaction keeps its view while others write") {
  Store store;
  REQUIRE(store.put("k", "one"));
  const auto before = store.lmdb.read();
  REQUIRE(before);
  REQUIRE(store.put("k", "two"));
  CHECK(**before->get(store.a, "k") == "one");
  CHECK(store.get("k") == "two");
}

TEST_CASE("a thread may hold several read transactions and move them") {
  Store store(16 << 20);
  std::vector<ReadTransaction> held;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(store.put("k", std::to_string(i)));
    auto t = store.lmdb.read();
    REQUIRE(t);
    held.push_back(std::move(*t));
  }
  for (int i = 0; i < 200; ++i) CHECK(**held[static_cast<std::size_t>(i)].get(store.a, "k") == std::to_string(i));
}

TEST_CASE("keys must have 1 to 511 bytes everywhere") {
  Store store;
  REQUIRE(store.put(Bytes(kMaxKey, 'k'), "longest"));
  CHECK(store.get(Bytes(kMaxKey, 'k')) == "longest");
  for (const Bytes& key : {Bytes(), Bytes(kMaxKey + 1, 'k'), Bytes(100'000, 'k')}) {
    const auto result = store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
      CHECK(code_of(t.put(store.a, key, "v")) == ErrorCode::invalid);
      CHECK(code_of(t.put_new(store.a, key, "v")) == ErrorCode::invalid);
      CHECK(code_of(t.erase(store.a, key)) == ErrorCode::invalid);
      CHECK(code_of(t.get(store.a, key)) == ErrorCode::invalid);
      auto cursor = t.cursor(store.a);
      CHECK(code_of(cursor->seek(key)) == ErrorCode::invalid);
      CHECK(code_of(cursor->seek_back(key)) == ErrorCode::invalid);
      return t.put(store.a, "the transaction", "goes on");
    });
    CHECK(result);
  }
  CHECK(store.get("the transaction") == "goes on");
}

TEST_CASE("a full map grows and the write runs again") {
  Store store(64 << 10);
  const std::uint64_t before = store.lmdb.usage()->map_size;
  CHECK(before <= 256 << 10);
  int runs = 0;
  const auto change = [&](WriteTransaction& t) -> Result<void> {
    ++runs;
    for (int i = 0; i < 1000; ++i) BA_TRY(t.put(store.a, number_key(i), Bytes(1000, 'x')));
    return {};
  };
  REQUIRE(store.lmdb.write(change));
  CHECK(runs > 1);
  CHECK(store.lmdb.usage()->map_size > before);
  CHECK(store.lmdb.read()->stats(store.a)->entries == 1000);
}

TEST_CASE("a write that swallows the error of a full map runs again all the same") {
  Store store(64 << 10);
  const auto change = [&](WriteTransaction& t) -> Result<void> {
    for (int i = 0; i < 1000; ++i)
      [[maybe_unused]] const auto swallowed = t.put(store.a, number_key(i), Bytes(1000, 'x'));
    return {};
  };
  REQUIRE(store.lmdb.write(change));
  CHECK(store.lmdb.read()->stats(store.a)->entries == 1000);
}

TEST_CASE("small writes one after the other grow the map too") {
  Store store(64 << 10);
  for (int i = 0; i < 300; ++i) REQUIRE(store.put(number_key(i), Bytes(3000, 'x')));
  CHECK(store.lmdb.read()->stats(store.a)->entries == 300);
}

TEST_CASE("a map at its limit is out of space, and the environment stays usable") {
  const TemporaryDirectory directory;
  LmdbOptions options = creating(64 << 10);
  options.max_map_size = 256 << 10;
  auto lmdb = Lmdb::open(directory.file("hot.mdb"), options);
  REQUIRE(lmdb);
  const Table a = lmdb->table("a");
  REQUIRE(lmdb->write([&](WriteTransaction& t) { return t.put(a, "k", "v"); }));
  const auto result = lmdb->write([&](WriteTransaction& t) { return t.put(a, "big", Bytes(1 << 20, 'x')); });
  CHECK(code_of(result) == ErrorCode::no_space);
  CHECK(mentions(result.error(), "hot.mdb"));
  CHECK(**lmdb->read()->get(a, "k") == "v");
  CHECK(lmdb->write([&](WriteTransaction& t) { return t.put(a, "small", "v"); }));
}

TEST_CASE("a write in a thread that holds a read transaction fails at once where the map must grow") {
  Store store(64 << 10);
  const auto t = store.lmdb.read();
  REQUIRE(t);
  REQUIRE(store.put("small", "fits"));
  const auto result = store.put("big", Bytes(1 << 20, 'x'));
  CHECK(code_of(result) == ErrorCode::io);
  CHECK(mentions(result.error(), "cannot grow while transactions of this process are open"));
  CHECK(t->stats(store.a)->entries == 0);
}

TEST_CASE("a write inside a write is refused") {
  Store store;
  const auto result = store.lmdb.write([&](WriteTransaction&) { return store.put("k", "v"); });
  CHECK(code_of(result) == ErrorCode::invalid);
  CHECK(store.put("k", "v"));
}

TEST_CASE("a read inside a write sees the state before it") {
  Store store;
  REQUIRE(store.put("k", "old"));
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    BA_TRY(t.put(store.a, "k", "new"));
    CHECK(store.get("k") == "old");
    return {};
  }));
  CHECK(store.get("k") == "new");
}

TEST_CASE("usage counts pages in use and pages to be used again") {
  Store store;
  const auto empty = store.lmdb.usage();
  REQUIRE(empty);
  CHECK(empty->page_size >= 512);
  CHECK(empty->used_pages >= 2);
  REQUIRE(store.put("big", Bytes(100'000, 'x')));
  const auto full = store.lmdb.usage();
  CHECK(full->used_pages > empty->used_pages + 20);
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    BA_TRY(t.erase(store.a, "big"));
    return {};
  }));
  const auto erased = store.lmdb.usage();
  CHECK(erased->used_pages >= full->used_pages);
  CHECK(erased->free_pages > 20);
}
