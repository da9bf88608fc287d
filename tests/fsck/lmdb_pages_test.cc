#include "fsck/lmdb_pages.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <random>
#include <sstream>

#include "base/coding.h"
#include "base/lmdb.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

// An LMDB file with two tables.
class TwoTables {
 public:
  TwoTables() { const Lmdb lmdb = open(); }

  std::string path() const { return directory_.file("some.mdb"); }

  Lmdb open() const {
    LmdbOptions options;
    options.create = true;
    options.tables = {"a", "b"};
    return must(Lmdb::open(path(), options));
  }

  void write(const std::function<void(WriteTransaction&, Table a, Table b)>& change) const {
    Lmdb lmdb = open();
    must(lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      change(transaction, lmdb.table("a"), lmdb.table("b"));
      return {};
    }));
  }

  std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }

  PageReport check() const {
    PageReport report = must(check_lmdb_pages(path()));
    for (const PageProblem& problem : report.problems)
      UNSCOPED_INFO("page " << problem.page << ": " << problem.message);
    return report;
  }

 private:
  TemporaryDirectory directory_;
};

Bytes numbered_key(std::uint32_t number) {
  Bytes key = "key ";
  put_fixed32(key, number * 2654435761u);
  return key;
}

TEST_CASE("a file of liblmdb passes, whatever its shape") {
  const TwoTables file;
  CHECK(file.check().problems.empty());

  SECTION("a value of each size around a page") {
    file.write([](WriteTransaction& t, Table a, Table) {
      for (std::uint32_t size = 0; size < 13'000; size += 97) must(t.put(a, numbered_key(size), Bytes(size, 'v')));
    });
  }
  SECTION("a deep tree") {
    file.write([](WriteTransaction& t, Table a, Table) {
      for (std::uint32_t i = 0; i < 30'000; ++i) {
        must(t.put(a, numbered_key(i) + Bytes(480, 'k'), "v"));
      }
    });
  }
  SECTION("keys of every length") {
    file.write([](WriteTransaction& t, Table a, Table b) {
      for (std::size_t size = 1; size <= kMaxKey; ++size) {
        must(t.put(a, Bytes(size, 'k'), Bytes(size % 7, 'v')));
        must(t.put(b, Bytes(size, '\xff'), ""));
      }
    });
  }
  SECTION("all entries erased again") {
    file.write([](WriteTransaction& t, Table a, Table) {
      for (std::uint32_t i = 0; i < 3000; ++i) must(t.put(a, numbered_key(i), Bytes(200, 'v')));
    });
    file.write([](WriteTransaction& t, Table a, Table) {
      for (std::uint32_t i = 0; i < 3000; ++i) REQUIRE(must(t.erase(a, numbered_key(i))));
    });
  }
  const PageReport report = file.check();
  CHECK(report.problems.empty());
  CHECK(report.leaked_pages == 0);
  CHECK(report.tables == std::vector<std::string>{"a", "b"});
  CHECK(must(newest_transaction(file.path())) == report.transaction);
}

TEST_CASE("a file of liblmdb passes after any history of changes") {
  const TwoTables file;
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    file.write([&](WriteTransaction& t, Table a, Table b) {
      const auto changes = random() % 200;
      for (unsigned i = 0; i < changes; ++i) {
        const Table table = random() % 3 ? a : b;
        const Bytes key = numbered_key(static_cast<std::uint32_t>(random() % 1500)) + Bytes(random() % 60, 'k');
        // Growing for a while, then shrinking, so that pages are merged and the free list becomes long.
        if (static_cast<int>(random() % 100) < (round % 50 < 30 ? 20 : 90)) {
          must(t.erase(table, key));
        } else {
          must(t.put(table, key, Bytes(random() % 10 ? random() % 300 : random() % 20'000, 'v')));
        }
      }
    });
    const PageReport report = file.check();
    REQUIRE(report.problems.empty());
    REQUIRE(report.leaked_pages == 0);
  }
  CHECK(file.check().free_pages > 0);
}

// Reads every byte of every entry as liblmdb gives it.
std::uint64_t read_through(const TwoTables& file) {
  const Lmdb lmdb = file.open();
  const ReadTransaction transaction = must(lmdb.read());
  std::uint64_t sum = 0;
  for (const char* name : {"a", "b"}) {
    Cursor cursor = must(transaction.cursor(lmdb.table(name)));
    for (auto at = must(cursor.first()); at; at = must(cursor.next())) {
      for (const char c : at->key) sum += static_cast<unsigned char>(c);
      for (const char c : at->value) sum += static_cast<unsigned char>(c);
    }
  }
  return sum;
}

TEST_CASE("garbage in any pages is survived, and liblmdb reads what passes") {
  const TwoTables file;
  file.write([](WriteTransaction& t, Table a, Table b) {
    for (std::uint32_t i = 0; i < 120; ++i) must(t.put(i % 2 ? a : b, numbered_key(i), Bytes(i * 40 % 6000, 'v')));
  });
  const std::string bytes = file.bytes();
  std::mt19937 random(11);
  int found = 0;
  int passed = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = bytes;
    const auto changes = 1 + random() % 4;
    for (unsigned i = 0; i < changes; ++i) {
      // Mostly near the beginning of pages, where the structure is.
      const std::size_t page = random() % (bytes.size() / 4096);
      damaged[page * 4096 + (random() % 2 ? random() % 64 : random() % 4096)] = static_cast<char>(random());
    }
    // In place: to cut a file and write it again costs a flush to disk on some file systems.
    std::fstream(file.path(), std::ios::binary | std::ios::in | std::ios::out) << damaged;
    const PageReport report = must(check_lmdb_pages(file.path()));
    ++(report.problems.empty() ? passed : found);
    if (report.problems.empty() && report.tables.size() == 2 && report.tables[0] == "a" && report.tables[1] == "b") {
      CHECK(read_through(file) > 0);
    }
  }
  CHECK(found > 300);
  CHECK(passed > 300);
}

TEST_CASE("an older state is not taken for the newest one") {
  const TwoTables file;
  for (int i = 0; i < 6; ++i) {
    file.write([&](WriteTransaction& t, Table a, Table) { must(t.put(a, "counter", std::to_string(i))); });
  }
  const PageReport sound = file.check();
  REQUIRE(sound.problems.empty());
  // The number of the newest transaction made two smaller, of the older one two larger: both still alternate.
  for (const auto& [transaction, change] : {std::pair<std::uint64_t, int>{sound.transaction, -2},
                                            std::pair<std::uint64_t, int>{sound.transaction - 1, 2}}) {
    std::fstream bytes(file.path(), std::ios::binary | std::ios::in | std::ios::out);
    const auto at = static_cast<std::streamoff>(transaction % 2 * sound.page_size + 144);
    bytes.seekp(at);
    bytes.put(static_cast<char>(transaction + static_cast<std::uint64_t>(change)));
    bytes.flush();
    CHECK(!must(check_lmdb_pages(file.path())).problems.empty());
    bytes.seekp(at);
    bytes.put(static_cast<char>(transaction));
    bytes.flush();
  }
  CHECK(file.check().problems.empty());
}

}  // namespace
}  // namespace blockarch
