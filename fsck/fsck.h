// The integrity check. It reads the archive's files by itself and does not use the engine, so that it works where the
// engine refuses to open. docs/fsck.md lists the findings.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace blockarch {

enum class Severity {
  damage,   // something that was stored cannot be had back
  derived,  // an index is wrong or incomplete; nothing is lost, it can be rebuilt
  notice,   // harmless: a leftover file, an object nothing refers to
};

struct Finding {
  std::string id;  // stable, "object-damaged"
  Severity severity = Severity::damage;
  std::string message;  // one line that names the thing, its file and place, and what it costs
};

struct FsckOptions {
  // Decompress and hash every object of the packs, rebuild every version and compare it with its payload hash and its id.
  // Without it: structure, checksums, every loose object's hash and every reference.
  bool full = false;
  // Of all versions, the share to rebuild where the check is not full, 0 to 1; which ones they are follows from `seed`.
  double sample = 0;
  std::uint64_t seed = 0;
  unsigned threads = 2;
  // Told how much of how much is done; may be empty.
  std::function<void(const char* stage, std::uint64_t done, std::uint64_t total)> progress;
};

struct FsckReport {
  std::vector<Finding> findings;
  std::uint64_t packs = 0;
  std::uint64_t objects = 0;  // loose and packed
  std::uint64_t urls = 0;
  std::uint64_t observations = 0;
  std::uint64_t versions = 0;
  std::uint64_t rebuilt = 0;       // versions put together and compared
  std::uint64_t unreferenced = 0;  // of the loose objects

  // Numbers of versions and metadata that cannot be had back, ascending; whatever is not below the ends was never given.
  std::vector<std::uint32_t> broken_versions;
  std::vector<std::uint32_t> broken_metadata;
  std::uint64_t versions_end = 0;
  std::uint64_t metadata_end = 0;

  // No finding worse than a notice.
  bool clean() const;
};

// no_archive where there is nothing to check, unsupported for an archive of a newer format; every damage is a finding,
// not an error. Safe beside writers and readers; `locked` only where something looks wrong, writers keep changing the
// file and do not pause for a minute.
Result<FsckReport> check_archive(const std::string& directory, const FsckOptions& options = {});

}  // namespace blockarch
