// blockarch log --significant.
#pragma once

#include "cli/session.h"
#include "cli/significance.h"
#include "engine/snapshot.h"

namespace blockarch {

// `last` is where the history ends; options.unchanged asks for what differs by noise only too.
Result<ExitCode> print_significant_log(Session& session, const Snapshot& snapshot, const CaptureInfo& last,
                                       const LogOptions& options, const SignificanceFlags& flags, bool oneline);

}  // namespace blockarch
