// From a payload's hash to the versions that hold it: how a page seen before, at any URL, is recognised before it is
// parsed. Derived data: an entry that is missing costs time, one that is wrong is noticed because the version itself
// carries the whole hash.
#pragma once

#include <vector>

#include "base/lmdb.h"
#include "refs/number_table.h"

namespace blockarch {

// Candidates, oldest first; the caller compares the version's own payload hash.
Result<std::vector<VersionNumber>> find_payload(const ReadTransaction& transaction, Table table,
                                                const Hash256& payload);
Result<void> add_payload(WriteTransaction& transaction, Table table, const Hash256& payload, VersionNumber number);
// `head` is the payload hash's first eight bytes as a number. Nothing happens where it is not there.
Result<void> erase_payload(WriteTransaction& transaction, Table table, std::uint64_t head, VersionNumber number);

}  // namespace blockarch
