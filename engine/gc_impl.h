// Private to engine/.
#pragma once

#include "engine/gc.h"
#include "engine/upkeep.h"

namespace blockarch {

// For whoever holds the upkeep lock already.
Result<GcReport> collect(Upkeep& upkeep, const GcOptions& options);

// Whether an erasure was cut short: what it took out is no longer in the log and still in the files.
Result<bool> has_unfinished_erasure(Archive::Impl& archive);
// Writes all files anew that hold anything dead. In engine/erase.cc.
Result<void> finish_erasure(Upkeep& upkeep, Time now, std::chrono::milliseconds wait);

}  // namespace blockarch
