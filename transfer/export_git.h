// The history of pages as a git repository: a bare one, one pack, that any git can read.
//
// - A page is a file under its SiteNames path ("example.com/a/b.html"), with the exact bytes.
// - A capture that shows other bytes than the one before it of its URL is a commit, in order of time; author and
//   committer date are the time of capture (to the second; 1970 where it is earlier, which git cannot say).
// - The message is the URL, then lines "Url:", "Captured:" (to the microsecond), "Version:", "Type:".
// - The same captures give the same ids.
//
// Memory: about 50 bytes for each object and 32 for each commit, the names of all pages, the newest trees of a branch,
// and two pages.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/snapshot.h"
#include "transfer/export_report.h"
#include "transfer/export_selection.h"

namespace blockarch {

struct GitExportOptions {
  ExportSelection selection;
  bool branch_per_host = false;  // "example.com" instead of "main" for all
  ExportProgressFunction progress;
};

// Makes the directory; invalid where it is there already and not empty. What is half-written stands beside it under
// another name (".NAME.PID.tmp") until it is complete. A page that cannot be read is a problem of the report.
Result<ExportReport> export_git(const Snapshot& snapshot, const std::string& directory,
                                const GitExportOptions& options);

}  // namespace blockarch
