// Packing: loose objects go into pack files, where similar ones cost their difference.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "engine/archive.h"

namespace blockarch {

enum class PackCompression {
  zstd,     // small
  deflate,  // readable with nothing but zlib
};

struct PackOptions {
  // Everything anew into one pack, with tables written anew too: the smallest archive. Else only what is loose, into a
  // pack beside those that there are; its cost follows what is new.
  bool all = false;
  PackCompression compression = PackCompression::zstd;
  int level = 0;         // 0 = the best trade
  unsigned threads = 0;  // 0 = as many as there are cores, at most 4
  // How long to wait for other upkeep, and at the end for the one that writes, before error `locked`.
  std::chrono::milliseconds wait{10'000};
  // May be empty. Told how many of how many versions are packed.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  // Set by a signal: the work ends with `interrupted` and the archive is as it was.
  const std::atomic<bool>* stop = nullptr;
};

struct PackReport {
  std::uint64_t versions = 0;  // packed now
  std::uint64_t metadata = 0;
  std::uint64_t pack_bytes = 0;    // of the new pack; 0 where there was nothing to pack
  std::uint64_t bytes_before = 0;  // all files of the archive
  std::uint64_t bytes_after = 0;
  std::uint64_t packs = 0;  // in the archive now
};

// What an archive would do by itself: nothing where little is loose; else what is new, or everything where that is not
// less than what is packed, so that over time each capture is packed a few times only.
struct PackNeed {
  bool worth = false;
  bool all = false;
  std::uint64_t loose_bytes = 0;  // of the tables' pages
};
Result<PackNeed> pack_need(Archive& archive);

// Readers go on meanwhile, and so does whoever writes, but for a moment at the end. A crash at any point leaves the
// archive as it was or packed; what is left lying about is removed by the next one.
Result<PackReport> pack_archive(Archive& archive, const PackOptions& options);

}  // namespace blockarch
