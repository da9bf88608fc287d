// The tables of an archive written anew, without what a pack now holds. Private to engine/.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/lmdb.h"
#include "engine/archive_impl.h"
#include "engine/hot.h"
#include "engine/view.h"

namespace blockarch {

// From the numbers that versions and metadata had to those that they get; kNoNumber = they are gone.
inline constexpr std::uint32_t kNoNumber = UINT32_MAX;
struct Renumbering {
  std::vector<std::uint32_t> versions;
  std::vector<std::uint32_t> metadata;
};

struct HotRewrite {
  const View& from;    // the archive as it is, nobody writes
  const Lmdb& source;  // where `from` reads
  const Pack& pack;    // that takes the place of all packs
  // Whether the pack holds an object.
  std::function<Result<bool>(const Hash256&)> packed;
  Renumbering numbers;  // of what is packed; the rest is filled in here
};

Result<void> rewrite_hot(HotRewrite& rewrite, Hot& to);

// The same tables in another file, without what LMDB has freed; makes that file count. For whoever holds the writer's and
// the upkeep lock; Upkeep::sweep() then removes the old one.
Result<void> copy_hot(Archive::Impl& archive);

}  // namespace blockarch
