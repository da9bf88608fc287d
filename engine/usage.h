// Who uses what: logical, own and shared bytes of each URL or host, and what they cost on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/snapshot.h"

namespace blockarch {

struct UrlUsage {
  std::string url;  // or a host
  std::uint64_t captures = 0;
  std::uint64_t versions = 0;
  std::uint64_t logical_bytes = 0;  // of all captures' payloads
  std::uint64_t unique_bytes = 0;   // of distinct blocks and layouts that no other URL uses
  std::uint64_t shared_bytes = 0;   // of those that others use too
  // On disk, as far as it can be told apart: objects count for the first URL (in order of keys) that uses them, packed ones
  // with their share of the frame they stand in.
  std::uint64_t stored_bytes = 0;
};

enum class UsageBy { url, host };

// In order of keys. Of a host, bytes are shared where another host uses them.
Result<std::vector<UrlUsage>> usage_of(
    const Snapshot& snapshot, UsageBy by, const UrlFilter& filter,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {});

}  // namespace blockarch
