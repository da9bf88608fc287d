// What `import` reads from: archive files, a directory of saved pages, or a git repository.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transfer/source.h"

namespace blockarch {

struct ImportSourceOptions {
  std::vector<std::string> paths;
  bool git = false;  // the path is a git repository
  // Of directories and repositories:
  std::string base_url;
  std::vector<std::string> patterns;
  std::optional<Time> time;  // directories only
  std::string scheme = "https";
  std::string branch;  // from here on repositories only
  bool committer_time = false;
  bool all_parents = false;
  // Of archive files:
  bool exact = false;
  bool check_digests = true;
  std::uint64_t zstd_window = 27;
  std::string spill_directory;
};

// A directory stands for the archive files below it; one without any is taken for saved pages. not_found where a path
// does not exist, invalid where the options do not go together.
Result<std::unique_ptr<CaptureSource>> open_import_source(const ImportSourceOptions& options);

}  // namespace blockarch
