// What the LMDB tests share: an environment with two tables.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "base/lmdb.h"
#include "tests/support/temporary_directory.h"

namespace blockarch {

inline LmdbOptions creating(std::uint64_t map_size = 1 << 20) {
  LmdbOptions options;
  options.create = true;
  options.initial_map_size = map_size;
  options.tables = {"a", "b"};
  return options;
}

inline LmdbOptions existing() {
  LmdbOptions options = creating();
  options.create = false;
  return options;
}

// A new environment with two tables.
struct Store {
  explicit Store(std::uint64_t map_size = 1 << 20)
      : lmdb(Lmdb::open(path(), creating(map_size)).value()), a(lmdb.table("a")), b(lmdb.table("b")) {}

  std::string path() const { return directory.file("hot.mdb"); }

  Result<void> put(ByteView key, ByteView value) {
    return lmdb.write([&](WriteTransaction& t) { return t.put(a, key, value); });
  }

  std::optional<Bytes> get(ByteView key) {
    const auto t = lmdb.read();
    REQUIRE(t);
    const auto value = t->get(a, key);
    REQUIRE(value);
    return *value ? std::optional(Bytes(**value)) : std::nullopt;
  }

  TemporaryDirectory directory;
  Lmdb lmdb;
  Table a;
  Table b;
};

template <typename T>
ErrorCode code_of(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

inline bool mentions(const Error& error, const std::string& text) {
  return error.message.find(text) != std::string::npos;
}

// The key of an entry, "-" for none.
inline std::string key_of(const Result<std::optional<KeyValue>>& entry) {
  REQUIRE(entry);
  return *entry ? std::string((*entry)->key) : "-";
}

inline std::string number_key(int n) {
  std::string digits = std::to_string(n);
  return std::string(6 - digits.size(), '0') + digits;
}

// The exit status of `body` in a child process, -1 where a signal ended it.
template <typename Body>
int exit_status_of(Body body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace blockarch
