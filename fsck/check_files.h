// The files of an archive beside what is in them.
#pragma once

#include <string>

#include "base/result.h"
#include "fsck/finding_log.h"

namespace blockarch {

// no_archive where there is nothing to check, unsupported for an archive of a newer format.
Result<void> check_files(const std::string& directory, FindingLog& log);

}  // namespace blockarch
