// What Archive, Snapshot and Writer share. Private to engine/.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/lmdb.h"
#include "engine/archive.h"
#include "engine/snapshot.h"
#include "objects/loose_store.h"
#include "refs/tables.h"

namespace blockarch {

inline constexpr char kLockFile[] = "lock";
inline constexpr char kTemporaryDirectory[] = "tmp";

struct Archive::Impl {
  std::string directory;
  FileSystem* files;
  Lmdb lmdb;
  const Tables tables;

  Impl(std::string where, FileSystem* f, Lmdb opened)
      : directory(std::move(where)),
        files(f),
        lmdb(std::move(opened)),
        tables(find_tables(lmdb)),
        settings_(tables.settings.handle) {}

  std::string path(const std::string& name) const { return directory + "/" + name; }

  // With the table of settings where it has been made since the archive was opened.
  Tables current_tables() const;
  // Makes the table of settings where the archive has none; for whoever holds the writer's lock.
  Result<void> make_settings_table();

 private:
  std::atomic<unsigned> settings_;
};

struct Snapshot::Impl {
  const Archive::Impl& archive;
  Tables tables;  // those that were there when the transaction began
  ReadTransaction transaction;
  LooseStore objects;

  Impl(const Archive::Impl& a, const Tables& known, ReadTransaction t)
      : archive(a), tables(known), transaction(std::move(t)), objects(transaction, a.tables.objects) {}
};

}  // namespace blockarch
