// A diff for programs.
#pragma once

#include "cli/json.h"
#include "history/version_diff.h"

namespace blockarch {

// Both sides, counts, every block that is not the same with its words, the layout, and the edits that make the new bytes
// from the old ones (docs/history.md).
Json diff_json(VersionDiff& diff);

Json side_json(const DiffSide& side);
Json counts_json(const ChangeCounts& counts);

}  // namespace blockarch
