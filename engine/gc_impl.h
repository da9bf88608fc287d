// Private to engine/.
#pragma once

#include "engine/gc.h"
#include "engine/upkeep.h"

namespace blockarch {

// For whoever holds the upkeep lock already.
Result<GcReport> collect(Upkeep& upkeep, const GcOptions& options);

}  // namespace blockarch
