// Pages as plain files: a directory for each URL with a file for each version, and a list of all as "index.html".
//
//   example.com/a/b.html/20240501123000.html
//
// Directories are named as SiteNames names files, files by the time of capture, with an ending that fits their type. The
// bytes are exact: links lead where they led. The list has no scripts and loads nothing. Captures that show the same as
// the one before have no file.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/snapshot.h"
#include "transfer/export_report.h"
#include "transfer/export_selection.h"

namespace blockarch {

struct HtmlExportOptions {
  ExportSelection selection;
  ExportProgressFunction progress;
};

// The directory as for export_git(). Memory: the names of all pages and one page.
Result<ExportReport> export_html(const Snapshot& snapshot, const std::string& directory,
                                 const HtmlExportOptions& options);

}  // namespace blockarch
