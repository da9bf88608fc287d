// The files of an archive beside what is in them.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "fsck/finding_log.h"

namespace blockarch {

struct ArchiveFiles {
  std::optional<std::string> hot;  // name of the file of tables to look at; nothing where there is none
  std::uint32_t generation = 0;    // what `current` says; 0 where it is damaged
};

// no_archive where there is nothing to check, unsupported for an archive of a newer format.
Result<ArchiveFiles> check_files(const std::string& directory, FindingLog& log);

// Files in packs/ against the names that count.
Result<void> check_pack_files(const std::string& directory, const std::vector<std::string>& listed, FindingLog& log);

}  // namespace blockarch
