#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "base/lmdb.h"
#include "tests/base/lmdb_store.h"

using namespace blockarch;

TEST_CASE("a cursor walks in key order both ways and stays at the ends") {
  Store store;
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    for (const char* key : {"c", "a", "b"}) BA_TRY(t.put(store.a, key, key));
    return {};
  }));
  const auto t = store.lmdb.read();
  auto cursor = t->cursor(store.a);
  REQUIRE(cursor);
  CHECK(key_of(cursor->next()) == "a");
  CHECK(key_of(cursor->next()) == "b");
  CHECK(key_of(cursor->next()) == "c");
  CHECK(key_of(cursor->next()) == "-");
  CHECK(key_of(cursor->next()) == "-");
  CHECK(key_of(cursor->previous()) == "c");
  CHECK(key_of(cursor->previous()) == "b");
  CHECK(key_of(cursor->previous()) == "a");
  CHECK(key_of(cursor->previous()) == "-");
  CHECK(key_of(cursor->previous()) == "-");
  CHECK(key_of(cursor->next()) == "a");
  CHECK(key_of(cursor->last()) == "c");
  CHECK(key_of(cursor->first()) == "a");

  auto backwards = t->cursor(store.a);
  CHECK(key_of(backwards->previous()) == "c");
}

TEST_CASE("a cursor finds the neighbours of any key") {
  Store store;
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    for (const char* key : {"b", "d", "f"}) BA_TRY(t.put(store.a, key, "v"));
    return {};
  }));
  const auto t = store.lmdb.read();
  auto cursor = t->cursor(store.a);
  CHECK(key_of(cursor->seek("a")) == "b");
  CHECK(key_of(cursor->seek("d")) == "d");
  CHECK(key_of(cursor->next()) == "f");
  CHECK(key_of(cursor->seek("e")) == "f");
  CHECK(key_of(cursor->previous()) == "d");
  CHECK(key_of(cursor->seek("g")) == "-");
  CHECK(key_of(cursor->next()) == "-");
  CHECK(key_of(cursor->previous()) == "f");
  CHECK(key_of(cursor->seek_back("g")) == "f");
  CHECK(key_of(cursor->seek_back("d")) == "d");
  CHECK(key_of(cursor->seek_back("c")) == "b");
  CHECK(key_of(cursor->next()) == "d");
  CHECK(key_of(cursor->seek_back("a")) == "-");
  CHECK(key_of(cursor->previous()) == "-");
  CHECK(key_of(cursor->next()) == "b");
}

TEST_CASE("a cursor over an empty table finds nothing whatever it is asked") {
  Store store;
  const auto t = store.lmdb.read();
  auto cursor = t->cursor(store.a);
  for (int i = 0; i < 2; ++i) {
    CHECK(key_of(cursor->next()) == "-");
    CHECK(key_of(cursor->previous()) == "-");
    CHECK(key_of(cursor->first()) == "-");
    CHECK(key_of(cursor->last()) == "-");
    CHECK(key_of(cursor->seek("k")) == "-");
    CHECK(key_of(cursor->seek_back("k")) == "-");
  }
}

TEST_CASE("a cursor survives what its write transaction does to the table") {
  Store store;
  std::map<std::string, std::string> model;
  std::mt19937 random(7);
  const auto change = [&](WriteTransaction& t) -> Result<void> {
    model.clear();
    for (int i = 0; i < 3000; i += 2) {
      BA_TRY(t.put(store.a, number_key(i), Bytes(50, 'v')));
      model[number_key(i)];
    }
    BA_ASSIGN(auto cursor, t.cursor(store.a));
    BA_ASSIGN(auto entry, cursor.first());
    std::string here(entry->key);
    for (int step = 0; step < 20'000; ++step) {
      // Erase and add around the cursor, often the very entry it stands at.
      for (auto changes = random() % 5; changes > 0; --changes) {
        const int near = std::stoi(here) + static_cast<int>(random() % 7) - 3;
        const std::string key = number_key(std::max(0, near));
        if (random() % 2 == 0) {
          BA_TRY(t.erase(store.a, key));
          model.erase(key);
        } else {
          BA_TRY(t.put(store.a, key, Bytes(random() % 200, 'w')));
          model[key];
        }
      }
      const bool forward = random() % 8 != 0;
      const auto above = model.upper_bound(here);
      const auto below = model.lower_bound(here);
      std::string expected = "-";
      if (forward && above != model.end()) expected = above->first;
      if (!forward && below != model.begin()) expected = std::prev(below)->first;
      BA_ASSIGN(entry, forward ? cursor.next() : cursor.previous());
      const std::string got = entry ? std::string(entry->key) : "-";
      if (got != expected) FAIL("step " << step << " from " << here << " gave " << got << ", not " << expected);
      if (!entry) {
        BA_ASSIGN(entry, cursor.first());
        if (!entry) break;
      }
      here = entry->key;
    }
    return {};
  };
  REQUIRE(store.lmdb.write(change));
}

TEST_CASE("a cursor used after its transaction is refused, and may be destroyed") {
  Store store;
  REQUIRE(store.put("k", "v"));
  std::optional<Cursor> leaked;
  REQUIRE(store.lmdb.write([&](WriteTransaction& t) -> Result<void> {
    BA_ASSIGN(leaked, t.cursor(store.a));
    return {};
  }));
  CHECK(code_of(leaked->next()) == ErrorCode::invalid);
  {
    const auto t = store.lmdb.read();
    leaked = std::move(*t->cursor(store.a));
    CHECK(key_of(leaked->next()) == "k");
  }
  CHECK(code_of(leaked->first()) == ErrorCode::invalid);
  CHECK(code_of(leaked->previous()) == ErrorCode::invalid);
  CHECK(code_of(leaked->seek("k")) == ErrorCode::invalid);
}
