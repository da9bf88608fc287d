// durable_writer FILE COUNT: adds entries 1 to COUNT to an environment, one write each, after replacing FILE.state, and
// prints each number as soon as it is durable. At the first error it tries once more, for the second error's sake, and
// ends with 1 and both messages.
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/coding.h"
#include "base/file.h"
#include "base/lmdb.h"

using namespace blockarch;

namespace {

Result<void> add(Lmdb& lmdb, const std::string& path, std::uint64_t n) {
  BA_TRY(replace_file(posix_files(), path + ".state", path + ".tmp", std::to_string(n)));
  const Table t = lmdb.table("t");
  Bytes key;
  put_fixed64(key, n);
  return lmdb.write([&](WriteTransaction& w) { return w.put(t, key, Bytes(n * 9970 % 30'000, 'x')); });
}

Result<void> run(const std::string& path, std::uint64_t count) {
  LmdbOptions options;
  options.create = true;
  options.initial_map_size = 64 << 10;
  options.tables = {"t"};
  BA_ASSIGN(auto lmdb, Lmdb::open(path, options));
  for (std::uint64_t n = 1; n <= count; ++n) {
    auto added = add(lmdb, path, n);
    if (!added) {
      const auto again = add(lmdb, path, n);
      if (!again) std::fprintf(stderr, "again: %s\n", again.error().message.c_str());
      const auto read = lmdb.usage();
      if (!read) std::fprintf(stderr, "read: %s\n", read.error().message.c_str());
      return added;
    }
    const std::string line = std::to_string(n) + "\n";
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) return Error{ErrorCode::io, "no output"};
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto result = run(argv[1], std::stoull(argv[2]));
  if (result) return 0;
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  return 1;
}
