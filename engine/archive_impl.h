// What Archive, Snapshot and Writer share. Private to engine/.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/file.h"
#include "base/lmdb.h"
#include "engine/archive.h"
#include "engine/hot.h"
#include "engine/snapshot.h"
#include "engine/view.h"
#include "pack/frame_cache.h"
#include "refs/hot_file.h"

namespace blockarch {

inline constexpr char kLockFile[] = "lock";
// Held by whoever packs or collects garbage: one at a time, beside the one that writes.
inline constexpr char kUpkeepLockFile[] = "upkeep.lock";
inline constexpr char kTemporaryDirectory[] = "tmp";
inline constexpr char kQuarantineDirectory[] = "quarantine";
inline constexpr std::size_t kFrameCacheBytes = std::size_t{192} << 20;

struct Archive::Impl {
  const std::string directory;
  FileSystem* const files;
  const std::shared_ptr<FrameCache> frames = std::make_shared<FrameCache>(kFrameCacheBytes);

  Impl(std::string where, FileSystem* f) : directory(std::move(where)), files(f) {}

  std::string path(const std::string& name) const { return directory + "/" + name; }

  // The tables that count now: packing everything may have put others in their place since the last call.
  Result<std::shared_ptr<Hot>> hot() const;
  // Those that a transaction on its tables sees, opened. not_found where one has just been replaced: begin anew.
  Result<PackList> packs(const ReadTransaction& transaction, const Tables& tables) const;

 private:
  mutable std::mutex mutex_;
  mutable CurrentHot current_;
  mutable std::shared_ptr<Hot> hot_;
  mutable std::map<Hash256, std::shared_ptr<const Pack>> packs_;
};

struct Snapshot::Impl {
  const Archive::Impl& archive;
  std::shared_ptr<Hot> hot;
  ReadTransaction transaction;
  View view;

  Impl(const Archive::Impl& a, std::shared_ptr<Hot> h, const Tables& known, ReadTransaction t, PackList packs)
      : archive(a), hot(std::move(h)), transaction(std::move(t)), view(transaction, known, std::move(packs)) {}
};

// Everything that is committed now.
Result<std::unique_ptr<Snapshot::Impl>> open_snapshot(const Archive::Impl& archive);

}  // namespace blockarch
