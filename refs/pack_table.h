// The packs of an archive, oldest first. A pack counts from the transaction on that puts it here.
#pragma once

#include <vector>

#include "base/hash.h"
#include "base/lmdb.h"
#include "refs/tables.h"

namespace blockarch {

// An archive without the table has none.
Result<std::vector<Hash256>> all_packs(const ReadTransaction& transaction, const Tables& tables);
// After all others. The table must be there.
Result<void> add_pack(WriteTransaction& transaction, const Tables& tables, const Hash256& name);
// Nothing happens where it is not there.
Result<void> erase_pack(WriteTransaction& transaction, const Tables& tables, const Hash256& name);

// The file of a pack, within the archive's directory.
std::string pack_file_name(const Hash256& name);

}  // namespace blockarch
