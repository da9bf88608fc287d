// What the parts of a repair share. Private to fsck/. Whoever uses this holds the locks of the writer and of upkeep.
#pragma once

#include <string>
#include <vector>

#include "base/lmdb.h"
#include "fsck/repair.h"
#include "pack/object_store.h"
#include "refs/number_table.h"
#include "refs/tables.h"

namespace blockarch {

inline constexpr char kQuarantineDirectory[] = "quarantine";

struct Repairing {
  const std::string directory;
  const RepairOptions& options;
  RepairReport& report;
  std::vector<std::string>& actions = report.actions;
};

// The archive's tables, open for writing.
struct OpenTables {
  Lmdb lmdb;
  Tables tables;
};

// Puts a second name into quarantine/ before the first one goes, durably.
Result<void> quarantine_file(const Repairing& repair, const std::string& name);
Result<void> quarantine_bytes(const Repairing& repair, const std::string& name, ByteView bytes);

// The table of packs against the files: damaged entries go, packs that are needed come back, damaged packs are emptied
// into loose objects. `before` says what cannot be read as the archive is.
Result<void> repair_packs(Repairing& repair, OpenTables& open, const FsckReport& before);
// Packs with versions that cannot be put together are emptied too: where lost captures are dropped, nothing shows them.
Result<void> empty_incomplete_packs(Repairing& repair, OpenTables& open, const FsckReport& found);
// Damaged loose objects go into quarantine.
Result<void> repair_objects(Repairing& repair, OpenTables& open);
// Made anew from what they are derived from.
Result<void> rebuild_url_keys(Repairing& repair, OpenTables& open);
Result<void> rebuild_payload_index(Repairing& repair, OpenTables& open);
// Takes lost captures out of histories; `found` says which ones they are.
Result<void> drop_lost_captures(Repairing& repair, OpenTables& open, const FsckReport& found);

// Gives a number an id, wherever in the table it stands; zeros stand for numbers without one.
Result<void> put_number(WriteTransaction& transaction, Table table, std::uint32_t number, const Hash256& id);

}  // namespace blockarch
