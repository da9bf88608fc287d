// What prune and forget print.
#pragma once

#include "cli/output.h"
#include "cli/session.h"
#include "engine/removal.h"

namespace blockarch {

void print_removal(Session& session, const RemovalReport& report, bool dry_run);

}  // namespace blockarch
