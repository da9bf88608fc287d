// What the parts of a check share: a view of the tables and packs, what was found out so far, and where findings go. Each
// part is a function in a file of its own, and they run in the order in which they stand here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "fsck/finding_log.h"
#include "fsck/fsck.h"
#include "fsck/numbering.h"
#include "fsck/object_catalog.h"
#include "pack/object_store.h"
#include "refs/history_chunk.h"
#include "refs/tables.h"

namespace blockarch {

// A pack, and what is wrong with it.
struct PackState {
  std::shared_ptr<const Pack> pack;
  std::vector<bool> damaged_frames;  // also those that are compressed with a damaged one
  std::vector<bool> broken_lists;    // that cannot be put together
  // Per external: may it be found?
  std::vector<bool> missing_contents;
  std::vector<bool> missing_lists;
};
// In the order of the table.
using PackStates = std::vector<PackState>;
PackList list_of(const PackStates& states);

struct Inspection {
  const Lmdb& lmdb;
  const ReadTransaction& transaction;
  const Tables& tables;
  const FsckOptions& options;
  FindingLog& log;
  FsckReport& report;
  PackStates packs;
  ObjectStore store{transaction, tables.objects, list_of(packs)};

  ObjectCatalog catalog{};  // of loose objects
  Numbering versions{"version", "version_numbers"};
  Numbering metadata{"metadata", "metadata_numbers"};
  std::vector<std::uint32_t> recorded_urls{};  // numbers that have a record, ascending

  void progress(const char* stage, std::uint64_t done, std::uint64_t total) const {
    constexpr std::uint64_t kStep = 256;
    if (options.progress && (done % kStep == 0 || done == total)) options.progress(stage, done, total);
  }
};

// The names of the packs that count; damaged entries of the table are findings.
Result<std::vector<Hash256>> listed_packs(const ReadTransaction& transaction, const Tables& tables, FindingLog& log);
// Opened; what is missing or cannot be opened is a finding, and so is what else lies in packs/.
Result<PackStates> open_packs(const std::string& directory, const std::vector<Hash256>& names, FindingLog& log);
// Every frame against its checksum, every file against its name, the indexes in themselves, the numbers.
Result<void> check_packs(Inspection& inspection);
// For FsckOptions::full: every frame decompressed, every object hashed and compared with the index.
Result<void> check_packed_contents(Inspection& inspection);
// Each loose object by itself: its hash, its encoding, its base.
Result<void> check_objects(Inspection& inspection);
// From the lists and versions of packs to what they are made of.
Result<void> check_recipes(Inspection& inspection);
// Number tables, and from every loose version to all that it is made of.
Result<void> check_versions(Inspection& inspection);
// Versions put together again, for FsckOptions::full and ::sample.
Result<void> check_pages(Inspection& inspection);
Result<void> check_packed_pages(Inspection& inspection);
Result<void> check_urls(Inspection& inspection);
Result<void> check_histories(Inspection& inspection);
Result<void> check_payload_index(Inspection& inspection);
Result<void> check_tags(Inspection& inspection);
Result<void> check_settings(Inspection& inspection);
// Names the captures that what was found costs, and counts what nothing refers to.
Result<void> report_consequences(Inspection& inspection);

// Reads a whole number table. Damaged entries are findings.
Result<void> read_numbers(Inspection& inspection, Table table, Numbering& numbers);

// Whether packs hold an object of this kind, as far as their indexes tell without reading it: one that is not there is
// taken for present once in a thousand times.
enum class Held { no, damaged, yes };
Held look_in_packs(const Inspection& inspection, ObjectKind kind, const Hash256& id);

// Whether a version is to be put together: all in a full check, else those that the draw falls on.
bool is_drawn(const FsckOptions& options, std::uint32_t number);

}  // namespace blockarch
