// Two pages side by side with what changed between them, to be looked at in a browser.
#pragma once

#include <string>

#include "history/version_diff.h"

namespace blockarch {

// A whole HTML document in UTF-8. Both pages stand in sandboxed frames under a policy that runs no script of theirs,
// submits no form and fetches nothing, so it may be opened wherever they came from.
std::string diff_page(VersionDiff& diff);

}  // namespace blockarch
