// Threads and processes that read, write and grow one environment at the same time.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/coding.h"
#include "base/lmdb.h"
#include "tests/support/temporary_directory.h"

using namespace blockarch;
using namespace std::chrono_literals;

namespace {

LmdbOptions tiny(bool create) {
  LmdbOptions options;
  options.create = create;
  options.initial_map_size = 64 << 10;
  options.growth_wait = 60s;
  options.tables = {"t"};
  return options;
}

Bytes key_of(std::uint64_t n) {
  Bytes key;
  put_fixed64(key, n);
  return key;
}

// Write number n adds entry n, of a size that depends on n, and says so in the entry 0.
Result<void> add(Lmdb& lmdb, Table t, std::uint64_t n) {
  return lmdb.write([&](WriteTransaction& w) -> Result<void> {
    BA_TRY(w.put(t, key_of(n), Bytes(n * 37 % 5000, static_cast<char>('a' + n % 26))));
    return w.put(t, key_of(0), key_of(n));
  });
}

// How many writes a transaction sees; nothing where what it sees is not what that many writes leave.
std::optional<std::uint64_t> count_writes(const ReadTransaction& read, Table t) {
  const auto last = read.get(t, key_of(0));
  if (!last) return std::nullopt;
  if (!*last) return 0;
  const std::uint64_t count = ByteReader(**last).fixed64();
  auto cursor = read.cursor(t);
  if (!cursor) return std::nullopt;
  auto entry = cursor->seek(key_of(1));
  for (std::uint64_t n = 1; n <= count; ++n) {
    if (!entry || !*entry || (*entry)->key != key_of(n)) return std::nullopt;
    if ((*entry)->value != Bytes(n * 37 % 5000, static_cast<char>('a' + n % 26))) return std::nullopt;
    entry = cursor->next();
  }
  if (!entry || *entry) return std::nullopt;
  return count;
}

// Reads until `writes` have been seen; false where anything was wrong or went backwards.
bool follow(const Lmdb& lmdb, Table t, std::uint64_t writes) {
  std::uint64_t seen = 0;
  while (seen < writes) {
    const auto read = lmdb.read();
    if (!read) return false;
    const auto count = count_writes(*read, t);
    if (!count || *count < seen) return false;
    seen = *count;
  }
  return true;
}

// Exit status of a child that runs `body`.
template <typename Body>
pid_t start_child(Body body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(body());
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("readers in four threads see whole writes while a fifth grows the map") {
  constexpr std::uint64_t kWrites = 400;
  const TemporaryDirectory directory;
  auto lmdb = Lmdb::open(directory.file("hot.mdb"), tiny(true));
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  const std::uint64_t before = lmdb->usage()->map_size;
  std::atomic<int> good = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      if (follow(*lmdb, t, kWrites)) ++good;
    });
  }
  bool written = true;
  for (std::uint64_t n = 1; n <= kWrites && written; ++n) written = add(*lmdb, t, n).has_value();
  for (auto& reader : readers) reader.join();
  CHECK(written);
  CHECK(good == 4);
  CHECK(lmdb->usage()->map_size > before);
}

TEST_CASE("writers in several threads take turns") {
  const TemporaryDirectory directory;
  auto lmdb = Lmdb::open(directory.file("hot.mdb"), tiny(true));
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  std::atomic<int> failures = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const auto result = lmdb->write([&](WriteTransaction& w) -> Result<void> {
          BA_ASSIGN(const auto last, w.get(t, key_of(0)));
          const std::uint64_t n = last ? ByteReader(*last).fixed64() : 0;
          BA_TRY(w.put(t, key_of(n + 1), Bytes(1000, 'x')));
          return w.put(t, key_of(0), key_of(n + 1));
        });
        if (!result) ++failures;
      }
    });
  }
  for (auto& writer : writers) writer.join();
  CHECK(failures == 0);
  CHECK(lmdb->read()->stats(t)->entries == 201);
}

TEST_CASE("a process follows the growth of another one") {
  constexpr std::uint64_t kWrites = 400;
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  { REQUIRE(Lmdb::open(path, tiny(true))); }
  const pid_t child = start_child([&] {
    auto lmdb = Lmdb::open(path, tiny(false));
    if (!lmdb) return 1;
    const Table t = lmdb->table("t");
    for (std::uint64_t n = 1; n <= kWrites; ++n) {
      if (!add(*lmdb, t, n)) return 2;
    }
    return 0;
  });
  LmdbOptions reading = tiny(false);
  reading.read_only = true;
  const auto lmdb = Lmdb::open(path, reading);
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  std::atomic<int> good = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      if (follow(*lmdb, t, kWrites)) ++good;
    });
  }
  for (auto& reader : readers) reader.join();
  CHECK(good == 2);
  CHECK(wait_for(child) == 0);
}

TEST_CASE("two processes that write and grow by turns lose nothing") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  { REQUIRE(Lmdb::open(path, tiny(true))); }
  const auto work = [&](char name) {
    auto lmdb = Lmdb::open(path, tiny(false));
    if (!lmdb) return 1;
    const Table t = lmdb->table("t");
    for (int i = 0; i < 200; ++i) {
      const std::string key = name + std::to_string(i);
      if (!lmdb->write([&](WriteTransaction& w) { return w.put(t, key, Bytes(3000, name)); })) return 2;
      const auto read = lmdb->read();
      if (!read) return 3;
      const auto value = read->get(t, key);
      if (!value || !*value || **value != Bytes(3000, name)) return 4;
    }
    return 0;
  };
  const pid_t child = start_child([&] { return work('c'); });
  CHECK(work('p') == 0);
  CHECK(wait_for(child) == 0);
  const auto lmdb = Lmdb::open(path, tiny(false));
  REQUIRE(lmdb);
  CHECK(lmdb->read()->stats(lmdb->table("t"))->entries == 400);
}

TEST_CASE("growth waits for a reader in another thread") {
  const TemporaryDirectory directory;
  auto lmdb = Lmdb::open(directory.file("hot.mdb"), tiny(true));
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  std::atomic<bool> filled = false;
  auto held = lmdb->read();
  REQUIRE(held);
  std::thread writer([&] {
    const auto result = lmdb->write([&](WriteTransaction& w) {
      auto put = w.put(t, "big", Bytes(1 << 20, 'x'));
      filled = true;
      return put;
    });
    if (!result) filled = false;
  });
  while (!filled) std::this_thread::yield();
  // A thread that is inside is let in again, however long somebody waits for it to leave.
  for (int i = 0; i < 100; ++i) {
    const auto second = lmdb->read();
    CHECK(second);
    std::this_thread::sleep_for(1ms);
  }
  CHECK(held->stats(t)->entries == 0);
  held = Error{ErrorCode::interrupted, "done"};
  writer.join();
  CHECK(filled);
  CHECK(lmdb->read()->stats(t)->entries == 1);
}

TEST_CASE("growth gives up on a reader that stays") {
  const TemporaryDirectory directory;
  LmdbOptions options = tiny(true);
  options.growth_wait = 20ms;
  auto lmdb = Lmdb::open(directory.file("hot.mdb"), options);
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  auto held = lmdb->read();
  REQUIRE(held);
  std::optional<Error> error;
  std::thread writer([&] {
    auto result = lmdb->write([&](WriteTransaction& w) { return w.put(t, "big", Bytes(1 << 20, 'x')); });
    if (!result) error = result.error();
  });
  writer.join();
  REQUIRE(error);
  CHECK(error->code == ErrorCode::io);
  // Nobody is kept out afterwards, and the growth succeeds once the reader has left, in whichever thread.
  CHECK(lmdb->read());
  std::thread ender([transaction = std::move(*held)]() mutable { const auto ended = std::move(transaction); });
  ender.join();
  held = Error{ErrorCode::interrupted, "gone"};
  CHECK(lmdb->write([&](WriteTransaction& w) { return w.put(t, "big", Bytes(1 << 20, 'x')); }));
}

TEST_CASE("environments are opened and closed by many threads at once") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  { REQUIRE(Lmdb::open(path, tiny(true))); }
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 100; ++k) {
        auto lmdb = Lmdb::open(path, tiny(false));
        if (!lmdb) {
          ++failures;
          continue;
        }
        const Table t = lmdb->table("t");
        const std::string key = std::to_string(i) + "." + std::to_string(k);
        if (k % 10 == 0 && !lmdb->write([&](WriteTransaction& w) { return w.put(t, key, key); })) ++failures;
        const auto read = lmdb->read();
        if (!read || !read->stats(t)) ++failures;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(failures == 0);
  const auto lmdb = Lmdb::open(path, tiny(false));
  CHECK(lmdb->read()->stats(lmdb->table("t"))->entries == 40);
}

TEST_CASE("readers that died leave no trace") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  LmdbOptions options = tiny(true);
  options.max_readers = 4;
  auto lmdb = Lmdb::open(path, options);
  REQUIRE(lmdb);
  for (int i = 0; i < 12; ++i) {
    const pid_t child = start_child([&] {
      const auto mine = Lmdb::open(path, tiny(false));
      if (!mine) return 1;
      const auto read = mine->read();
      ::_exit(read ? 0 : 2);
    });
    CHECK(wait_for(child) == 0);
  }
  const auto first = lmdb->read();
  const auto second = lmdb->read();
  CHECK(first);
  CHECK(second);
}

TEST_CASE("a writer that died inside its transaction leaves the state before it") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  auto lmdb = Lmdb::open(path, tiny(true));
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  REQUIRE(add(*lmdb, t, 1));
  const pid_t child = start_child([&] {
    auto mine = Lmdb::open(path, tiny(false));
    if (!mine) return 1;
    const Table own = mine->table("t");
    [[maybe_unused]] const auto never = mine->write([&](WriteTransaction& w) -> Result<void> {
      BA_TRY(w.put(own, key_of(2), "lost"));
      ::_exit(0);
    });
    return 3;
  });
  CHECK(wait_for(child) == 0);
  REQUIRE(add(*lmdb, t, 2));
  const auto read = lmdb->read();
  REQUIRE(read);
  CHECK(count_writes(*read, t) == 2);
}
