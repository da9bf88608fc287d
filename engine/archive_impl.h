// What Archive, Snapshot and Writer share. Private to engine/.
#pragma once

#include <string>

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
  FileSystem* files = nullptr;
  Lmdb lmdb;
  Tables tables;

  std::string path(const std::string& name) const { return directory + "/" + name; }
};

struct Snapshot::Impl {
  const Archive::Impl& archive;
  ReadTransaction transaction;
  LooseStore objects;

  Impl(const Archive::Impl& a, ReadTransaction t)
      : archive(a), transaction(std::move(t)), objects(transaction, a.tables.objects) {}
};

}  // namespace blockarch
