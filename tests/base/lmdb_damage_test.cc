// What damaged files do: an error, never a crash, as far as that can be seen on opening; and what the handlers for the
// rest are told.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "base/file.h"
#include "base/lmdb.h"
#include "tests/support/temporary_directory.h"

using namespace blockarch;

namespace {

constexpr std::uint64_t kLimit = 64 << 20;

LmdbOptions options(bool create) {
  LmdbOptions o;
  o.create = create;
  o.initial_map_size = 1 << 20;
  o.tables = {"t"};
  return o;
}

std::string number_key(int n) {
  std::string digits = std::to_string(n);
  return std::string(6 - digits.size(), '0') + digits;
}

// A file with a tree of two levels.
void make_file(const std::string& path) {
  auto lmdb = Lmdb::open(path, options(true));
  REQUIRE(lmdb);
  const Table t = lmdb->table("t");
  REQUIRE(lmdb->write([&](WriteTransaction& w) -> Result<void> {
    for (int i = 0; i < 500; ++i) BA_TRY(w.put(t, number_key(i), Bytes(100, 'v')));
    return {};
  }));
}

Bytes contents(const std::string& path) {
  auto bytes = posix_files().read_file(path, kLimit);
  REQUIRE(bytes);
  return *bytes;
}

void check_corrupt(const std::string& path, const std::string& message) {
  const auto opened = Lmdb::open(path, options(false));
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::corrupt);
  INFO(opened.error().message);
  CHECK(opened.error().message.find(path) != std::string::npos);
  CHECK(opened.error().message.find(message) != std::string::npos);
}

std::size_t page_size_of(const Bytes& file) {
  std::uint32_t size = 0;
  std::memcpy(&size, file.data() + 40, sizeof size);
  return size;
}

// The exit status of `body` in a child process, 1000 and more for a signal.
template <typename Body>
int run_child(Body body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("an empty file is corrupt unless it is to be created") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  REQUIRE(posix_files().write_file(path, ""));
  check_corrupt(path, "is empty");
  CHECK(Lmdb::open(path, options(true)));
}

TEST_CASE("what is no LMDB file is corrupt") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  for (const Bytes& bytes : {Bytes("x"), Bytes(100, 'x'), Bytes(8192, '\0'), Bytes(100'000, 'x')}) {
    REQUIRE(posix_files().write_file(path, bytes));
    check_corrupt(path, "does not begin as an LMDB file does");
  }
  CHECK(contents(path) == Bytes(100'000, 'x'));
  CHECK_FALSE(Lmdb::open(path, options(true)));
  CHECK(contents(path) == Bytes(100'000, 'x'));
}

TEST_CASE("a directory in place of the file is an error") {
  const TemporaryDirectory directory;
  REQUIRE(posix_files().make_directory(directory.file("hot.mdb")));
  check_corrupt(directory.file("hot.mdb"), "is not a regular file");
  CHECK_FALSE(Lmdb::open(directory.file("hot.mdb"), options(true)));
}

TEST_CASE("a creation that died is begun anew") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  const Bytes whole = contents(path);
  for (const std::size_t length : {std::size_t{1}, std::size_t{100}, page_size_of(whole), page_size_of(whole) + 50}) {
    REQUIRE(posix_files().write_file(path, whole.substr(0, length)));
    check_corrupt(path, "does not begin as an LMDB file does");
    const auto opened = Lmdb::open(path, options(true));
    REQUIRE(opened);
    CHECK(opened->read()->stats(opened->table("t"))->entries == 0);
  }
  // Two good meta pages that speak of data are no such thing.
  REQUIRE(posix_files().write_file(path, whole.substr(0, 2 * page_size_of(whole))));
  const auto refused = Lmdb::open(path, options(true));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::corrupt);
}

TEST_CASE("a file cut anywhere is corrupt and says by how much") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  const Bytes whole = contents(path);
  const std::size_t page = page_size_of(whole);
  REQUIRE(whole.size() > 10 * page);
  for (std::size_t length = 2 * page; length < whole.size(); length += page / 2) {
    REQUIRE(posix_files().write_file(path, whole.substr(0, length)));
    check_corrupt(path,
                  "is truncated: " + std::to_string(length) + " bytes instead of " + std::to_string(whole.size()));
  }
  REQUIRE(posix_files().write_file(path, whole));
  CHECK(Lmdb::open(path, options(false)));
}

TEST_CASE("a sound file may be shorter than its page count, and opens") {
  // LMDB gives out pages at the end and takes them back without writing them; random work makes such files.
  std::mt19937 random(1);
  int shorter = 0;
  for (int round = 0; round < 20 && shorter == 0; ++round) {
    const TemporaryDirectory directory;
    const std::string path = directory.file("hot.mdb");
    REQUIRE(Lmdb::open(path, options(true)));
    for (int i = 0; i < 300; ++i) {
      auto lmdb = Lmdb::open(path, options(false));
      if (!lmdb) FAIL(lmdb.error().message);
      const Table t = lmdb->table("t");
      REQUIRE(lmdb->write([&](WriteTransaction& w) -> Result<void> {
        for (auto n = random() % 30; n > 0; --n) {
          const std::string key = number_key(static_cast<int>(random() % 200));
          if (random() % 3 == 0) {
            BA_TRY(w.erase(t, key));
          } else {
            BA_TRY(w.put(t, key, Bytes(random() % 3 == 0 ? random() % 100'000 : random() % 3'000, 'x')));
          }
        }
        return {};
      }));
      const auto usage = lmdb->usage();
      REQUIRE(usage);
      if (std::filesystem::file_size(path) < usage->used_pages * usage->page_size) ++shorter;
    }
  }
  CHECK(shorter > 0);
}

TEST_CASE("damaged meta pages give an error or an environment, never a crash") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  const Bytes whole = contents(path);
  const std::size_t page = page_size_of(whole);
  constexpr std::size_t kMetaSize = 152;
  int refused = 0;
  for (const std::size_t start : {std::size_t{0}, page}) {
    for (std::size_t i = 0; i < kMetaSize; ++i) {
      Bytes changed = whole;
      changed[start + i] = static_cast<char>(~changed[start + i]);
      REQUIRE(posix_files().write_file(path, changed));
      const auto opened = Lmdb::open(path, options(false));
      if (opened) {
        CHECK(opened->read());
      } else {
        ++refused;
        INFO(start << "+" << i << ": " << opened.error().message);
        CHECK(opened.error().code == ErrorCode::corrupt);
      }
    }
  }
  CHECK(refused > 40);
}

TEST_CASE("a damaged lock file is made anew") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  for (const Bytes& bytes : {Bytes(), Bytes("x"), Bytes(100'000, 'x')}) {
    REQUIRE(posix_files().write_file(path + "-lock", bytes));
    const auto opened = Lmdb::open(path, options(false));
    REQUIRE(opened);
    CHECK(opened->read()->stats(opened->table("t"))->entries == 500);
  }
}

TEST_CASE("a table whose pages are overwritten is corrupt") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  Bytes bytes = contents(path);
  const std::size_t page = page_size_of(bytes);
  // The kind of every leaf becomes one that does not exist.
  constexpr std::size_t kFlags = 10;
  for (std::size_t at = 2 * page; at < bytes.size(); at += page) {
    if (bytes[at + kFlags] == 2) bytes[at + kFlags] = 0x40;
  }
  REQUIRE(posix_files().write_file(path, bytes));
  const auto opened = Lmdb::open(path, options(false));
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code == ErrorCode::corrupt);
}

TEST_CASE("damage that LMDB cannot report goes to the handler") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  Bytes bytes = contents(path);
  const std::size_t page = page_size_of(bytes);
  // Every branch page says that it has one entry, where two are the least.
  int branches = 0;
  for (std::size_t at = 2 * page; at < bytes.size(); at += page) {
    if (bytes[at + 10] != 1) continue;
    bytes[at + 12] = 18;
    bytes[at + 13] = 0;
    ++branches;
  }
  REQUIRE(branches > 0);
  REQUIRE(posix_files().write_file(path, bytes));
  const auto read_all = [&] {
    const auto opened = Lmdb::open(path, options(false));
    if (!opened) ::_exit(1);
    [[maybe_unused]] const auto value = opened->read()->get(opened->table("t"), number_key(250));
  };
  const int handled = run_child([&] {
    Lmdb::on_damage([](const char* message) {
      const std::string text = message;
      const bool one_line = text.find('\n') == std::string::npos;
      const bool names_file = text.find("hot.mdb: archive damaged (LMDB: ") != std::string::npos;
      ::_exit(one_line && names_file ? 5 : 6);
    });
    read_all();
  });
  CHECK(handled == 5);
}

TEST_CASE("a file that is cut while it is open faults at an address in its map") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("hot.mdb");
  make_file(path);
  const int status = run_child([&] {
    const auto opened = Lmdb::open(path, options(false));
    if (!opened) ::_exit(1);
    const auto t = opened->read();
    struct sigaction action = {};
    action.sa_sigaction = [](int, siginfo_t* info, void*) { ::_exit(Lmdb::is_mapped(info->si_addr) ? 5 : 6); };
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
    if (::truncate(path.c_str(), 8192) != 0) ::_exit(2);
    [[maybe_unused]] const auto value = t->get(opened->table("t"), number_key(250));
  });
  CHECK(status == 5);
}
