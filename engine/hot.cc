#include "engine/hot.h"

namespace blockarch {
namespace {

LmdbOptions lmdb_options(bool create) {
  LmdbOptions options;
  options.create = create;
  options.tables = table_names();
  options.later_tables = later_table_names();
  return options;
}

}  // namespace

Hot::Hot(std::string file, std::uint32_t number, Lmdb opened)
    : path(std::move(file)),
      generation(number),
      lmdb(std::move(opened)),
      first_(find_tables(lmdb)),
      settings_(first_.settings.handle),
      packs_(first_.packs.handle),
      removed_(first_.removed.handle) {}

Tables Hot::tables() const {
  Tables current = first_;
  current.settings.handle = settings_;
  current.packs.handle = packs_;
  current.removed.handle = removed_;
  return current;
}

// Opened once more, with leave to create: the environment is the same, and keeps the tables after this.
Result<void> Hot::make_later_tables() {
  if (settings_ != 0 && packs_ != 0 && removed_ != 0) return {};
  BA_ASSIGN(const Lmdb again, Lmdb::open(path, lmdb_options(true)));
  const Tables made = find_tables(again);
  settings_ = made.settings.handle;
  packs_ = made.packs.handle;
  removed_ = made.removed.handle;
  return {};
}

Result<std::shared_ptr<Hot>> open_hot(const std::string& path, std::uint32_t generation) {
  LmdbOptions options = lmdb_options(false);
  auto lmdb = Lmdb::open(path, options);
  if (!lmdb && lmdb.error().code == ErrorCode::permission) {
    options.read_only = true;
    lmdb = Lmdb::open(path, options);
  }
  if (!lmdb) return lmdb.error();
  return std::make_shared<Hot>(path, generation, std::move(*lmdb));
}

Result<std::shared_ptr<Hot>> create_hot(const std::string& path, std::uint32_t generation) {
  BA_ASSIGN(Lmdb lmdb, Lmdb::open(path, lmdb_options(true)));
  return std::make_shared<Hot>(path, generation, std::move(lmdb));
}

}  // namespace blockarch
