// Opening, sharing and closing environments, and where their maps are.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "base/lmdb.h"
#include "tests/base/lmdb_store.h"

using namespace blockarch;

TEST_CASE("opening what is not there is not_found, and makes nothing") {
  const TemporaryDirectory directory;
  const auto opened = Lmdb::open(directory.file("hot.mdb"), existing());
  CHECK(code_of(opened) == ErrorCode::not_found);
  CHECK(mentions(opened.error(), "hot.mdb"));
  CHECK(std::filesystem::is_empty(directory.path()));
}

TEST_CASE("a file that vanishes while it is opened is not_found, and none is made in its place") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  const std::string model = directory.file("model.mdb");
  { REQUIRE(Lmdb::open(model, creating())); }
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) {
      std::filesystem::copy_file(model, directory.file("next"));
      std::filesystem::rename(directory.file("next"), path);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      std::filesystem::remove(path);
    }
  });
  int opened = 0;
  int gone = 0;
  std::set<std::string> others;
  for (int i = 0; i < 100'000 && (opened < 300 || gone < 300); ++i) {
    const auto lmdb = Lmdb::open(path, existing());
    if (lmdb) {
      ++opened;
    } else if (lmdb.error().code == ErrorCode::not_found) {
      ++gone;
    } else {
      others.insert(lmdb.error().message);
    }
  }
  done = true;
  other.join();
  CHECK(others == std::set<std::string>());
  CHECK(opened >= 300);
  CHECK(gone >= 300);
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("an environment is found again after it was closed") {
  const TemporaryDirectory directory;
  {
    auto lmdb = Lmdb::open(directory.file("hot.mdb"), creating());
    REQUIRE(lmdb);
    const Table a = lmdb->table("a");
    REQUIRE(lmdb->write([&](WriteTransaction& t) { return t.put(a, "k", "v"); }));
  }
  for (const bool read_only : {false, true}) {
    LmdbOptions options = existing();
    options.read_only = read_only;
    const auto lmdb = Lmdb::open(directory.file("hot.mdb"), options);
    REQUIRE(lmdb);
    CHECK(**lmdb->read()->get(lmdb->table("a"), "k") == "v");
  }
}

TEST_CASE("a table that is not there is corrupt without create, and made with it") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  { REQUIRE(Lmdb::open(path, creating())); }
  LmdbOptions more = existing();
  more.tables.push_back("c");
  const auto refused = Lmdb::open(path, more);
  CHECK(code_of(refused) == ErrorCode::corrupt);
  CHECK(mentions(refused.error(), "lacks the table c"));
  more.create = true;
  const auto opened = Lmdb::open(path, more);
  REQUIRE(opened);
  CHECK(opened->read()->stats(opened->table("c"))->entries == 0);
}

TEST_CASE("everybody in the process shares one environment") {
  Store store;
  LmdbOptions reading = existing();
  reading.read_only = true;
  // By another name of the same file.
  const std::string other =
      store.directory.path() + "/../" + std::filesystem::path(store.directory.path()).filename().string() + "/hot.mdb";
  auto reader = Lmdb::open(other, reading);
  auto writer = Lmdb::open(other, existing());
  REQUIRE(reader);
  REQUIRE(writer);
  REQUIRE(store.put("k", "v"));
  CHECK(**reader->read()->get(reader->table("a"), "k") == "v");
  const Table a = writer->table("a");
  REQUIRE(writer->write([&](WriteTransaction& t) { return t.put(a, "k", "w"); }));
  CHECK(store.get("k") == "w");
  const auto refused = reader->write([&](WriteTransaction& t) { return t.put(a, "k", "x"); });
  CHECK(code_of(refused) == ErrorCode::permission);
  CHECK(store.get("k") == "w");
}

TEST_CASE("an environment first opened for reading can be opened for writing beside it") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  { REQUIRE(Lmdb::open(path, creating())); }
  LmdbOptions reading = existing();
  reading.read_only = true;
  const auto reader = Lmdb::open(path, reading);
  auto writer = Lmdb::open(path, existing());
  REQUIRE(reader);
  REQUIRE(writer);
  const Table a = writer->table("a");
  REQUIRE(writer->write([&](WriteTransaction& t) { return t.put(a, "k", "v"); }));
  CHECK(**reader->read()->get(reader->table("a"), "k") == "v");
}

TEST_CASE("a second opening with more tables finds the old and the new ones") {
  Store store;
  REQUIRE(store.put("k", "v"));
  LmdbOptions more = creating();
  more.tables = {"c", "a"};
  auto second = Lmdb::open(store.path(), more);
  REQUIRE(second);
  CHECK(**second->read()->get(second->table("a"), "k") == "v");
  const Table c = second->table("c");
  REQUIRE(second->write([&](WriteTransaction& t) { return t.put(c, "k", "in c"); }));
  CHECK(**store.lmdb.read()->get(c, "k") == "in c");
}

TEST_CASE("an environment lives as long as a transaction in it") {
  const TemporaryDirectory directory;
  std::optional<ReadTransaction> kept;
  Table a;
  {
    auto lmdb = Lmdb::open(directory.file("hot.mdb"), creating());
    REQUIRE(lmdb);
    a = lmdb->table("a");
    REQUIRE(lmdb->write([&](WriteTransaction& t) { return t.put(a, "k", "v"); }));
    kept = std::move(*lmdb->read());
  }
  CHECK(**kept->get(a, "k") == "v");
  CHECK(Lmdb::open(directory.file("hot.mdb"), existing()));
}

TEST_CASE("no descriptor of an environment passes to other programs") {
  Store store;
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    const std::string target = std::filesystem::read_symlink(entry.path(), ignored).string();
    if (target.find(store.directory.path()) == std::string::npos) continue;
    ++found;
    INFO(target);
    CHECK((::fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(found >= 2);
}

TEST_CASE("the map of an open environment is known by its addresses") {
  Store store;
  REQUIRE(store.put("k", Bytes(5000, 'x')));
  int local = 0;
  CHECK_FALSE(Lmdb::is_mapped(&local));
  CHECK_FALSE(Lmdb::is_mapped(nullptr));
  const void* address = nullptr;
  {
    const auto t = store.lmdb.read();
    const auto value = t->get(store.a, "k");
    address = (*value)->data();
    CHECK(Lmdb::is_mapped(address));
    CHECK(Lmdb::is_mapped((*value)->data() + 4999));
  }
  // Also after it has moved.
  REQUIRE(store.put("big", Bytes(8 << 20, 'x')));
  const auto t = store.lmdb.read();
  CHECK(Lmdb::is_mapped((*t->get(store.a, "big"))->data()));
  const auto big = **t->get(store.a, "big");
  CHECK(Lmdb::is_mapped(big.data() + big.size() - 1));
}

TEST_CASE("the map of a closed environment is forgotten") {
  const void* address = nullptr;
  {
    Store store;
    REQUIRE(store.put("k", "v"));
    const auto t = store.lmdb.read();
    address = (*t->get(store.a, "k"))->data();
    REQUIRE(Lmdb::is_mapped(address));
  }
  CHECK_FALSE(Lmdb::is_mapped(address));
}

TEST_CASE("a place where nothing may be written can be read, and nothing more") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  { REQUIRE(Lmdb::open(path, creating())); }
  // Readers take part in LMDB's lock file, so that one must be writable.
  REQUIRE(::chmod((path + "-lock").c_str(), 0666) == 0);
  REQUIRE(::chmod(path.c_str(), 0444) == 0);
  REQUIRE(::chmod(directory.path().c_str(), 0555) == 0);
  const auto unprivileged = [&](auto body) {
    return exit_status_of([&] {
      constexpr uid_t kNobody = 65534;
      if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return 99;
      return body();
    });
  };
  LmdbOptions reading = existing();
  reading.read_only = true;
  const int first = unprivileged([&] {
    const auto refused = Lmdb::open(path, existing());
    if (refused || refused.error().code != ErrorCode::permission) return 1;
    const auto reader = Lmdb::open(path, reading);
    if (!reader) return 2;
    if (!reader->read()) return 3;
    const auto writer = Lmdb::open(path, existing());
    if (writer || writer.error().code != ErrorCode::permission) return 4;
    return 0;
  });
  CHECK(first == 0);
  REQUIRE(::chmod((path + "-lock").c_str(), 0) == 0);
  const int second = unprivileged([&] {
    const auto refused = Lmdb::open(path, reading);
    if (refused || refused.error().code != ErrorCode::permission) return 1;
    return mentions(refused.error(), "hot.mdb-lock") ? 0 : 2;
  });
  CHECK(second == 0);
  REQUIRE(::chmod(directory.path().c_str(), 0755) == 0);
}

TEST_CASE("the map that nobody asked for is large, and smaller where addresses are scarce") {
  const TemporaryDirectory directory;
  LmdbOptions options;
  options.create = true;
  options.tables = {"a"};
  {
    auto lmdb = Lmdb::open(directory.file("hot.mdb"), options);
    REQUIRE(lmdb);
    CHECK(lmdb->usage()->map_size == options.initial_map_size);
    const Table a = lmdb->table("a");
    CHECK(lmdb->write([&](WriteTransaction& t) { return t.put(a, "k", "v"); }));
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const int status = exit_status_of([&] {
    const rlimit limit = {rlim_t{2} << 30, rlim_t{2} << 30};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 1;
    auto lmdb = Lmdb::open(directory.file("hot.mdb"), options);
    if (!lmdb) return 2;
    const auto usage = lmdb->usage();
    if (!usage || usage->map_size > limit.rlim_cur) return 3;
    const Table a = lmdb->table("a");
    return lmdb->write([&](WriteTransaction& t) { return t.put(a, "k", "w"); }) ? 0 : 4;
  });
  CHECK(status == 0);
#endif
}

TEST_CASE("a map that cannot grow for want of addresses leaves the environment as it was") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("a sanitizer needs more addresses than the limit leaves");
#endif
  const TemporaryDirectory directory;
  const int status = exit_status_of([&] {
    // Room for the first map and for the pages of a write that fills it, not for a second map.
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + (80 << 20);
    const rlimit limit = {most, most};
    if (pages == 0 || ::setrlimit(RLIMIT_AS, &limit) != 0) return 1;
    auto lmdb = Lmdb::open(directory.file("hot.mdb"), creating(32 << 20));
    if (!lmdb) return 2;
    const Table a = lmdb->table("a");
    if (!lmdb->write([&](WriteTransaction& t) { return t.put(a, "k", "v"); })) return 3;
    const auto big = lmdb->write([&](WriteTransaction& t) -> Result<void> {
      for (int i = 0; i < 1000; ++i) BA_TRY(t.put(a, number_key(i), Bytes(64 << 10, 'x')));
      return {};
    });
    if (big || !mentions(big.error(), "no room to map")) return 4;
    const auto t = lmdb->read();
    if (!t) return 5;
    const auto value = t->get(a, "k");
    return value && *value && **value == "v" ? 0 : 6;
  });
  CHECK(status == 0);
}
