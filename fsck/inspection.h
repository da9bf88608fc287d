// What the parts of a check share: a view of hot.mdb, what was found out so far, and where findings go. Each part is a
// function in a file of its own, and they run in the order in which they stand here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "fsck/finding_log.h"
#include "fsck/fsck.h"
#include "fsck/object_catalog.h"
#include "objects/loose_store.h"
#include "refs/history_chunk.h"
#include "refs/tables.h"

namespace blockarch {

// Where and when something was captured.
struct SeenAt {
  UrlNumber url;
  Time first;
  std::uint64_t captures = 0;
};

// What a number of a number table stands for.
struct Numbered {
  std::optional<Hash256> id;       // nothing where the table's entry is damaged or missing
  std::string why_broken;          // empty where the object can be read back
  std::optional<Hash256> payload;  // versions that decode
  std::optional<SeenAt> seen;      // filled for broken ones only
  bool observed = false;
};

struct Inspection {
  const ReadTransaction& transaction;
  const Tables& tables;
  const FsckOptions& options;
  FindingLog& log;
  FsckReport& report;
  LooseStore store{transaction, tables.objects};

  ObjectCatalog catalog{};
  std::vector<Numbered> versions{};
  std::vector<Numbered> metadata{};
  std::vector<std::uint32_t> recorded_urls{};  // numbers that have a record, ascending

  void progress(const char* stage, std::uint64_t done, std::uint64_t total) const {
    constexpr std::uint64_t kStep = 256;
    if (options.progress && (done % kStep == 0 || done == total)) options.progress(stage, done, total);
  }
};

// Each object by itself: its hash, its encoding, its base.
Result<void> check_objects(Inspection& inspection);
// Number tables, and from every version to all that it is made of.
Result<void> check_versions(Inspection& inspection);
// Versions put together again, for FsckOptions::full.
Result<void> check_pages(Inspection& inspection);
Result<void> check_urls(Inspection& inspection);
Result<void> check_histories(Inspection& inspection);
Result<void> check_payload_index(Inspection& inspection);
Result<void> check_tags(Inspection& inspection);
Result<void> check_settings(Inspection& inspection);
// Names the captures that what was found costs, and counts what nothing refers to.
Result<void> report_consequences(Inspection& inspection);

// Reads a whole number table. Damaged entries are findings; their numbers have no id.
Result<std::vector<Numbered>> read_numbers(Inspection& inspection, Table table, const char* table_name);

}  // namespace blockarch
