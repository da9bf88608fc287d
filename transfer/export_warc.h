// Captures as WARC 1.1, in the order of URL keys and times, and as CDXJ.
//
// 1. The same captures give the same bytes: record ids come from URL, time and version, nothing from the clock.
// 2. The file stands for itself: no record needs one that is not in it. Captures that came as "304 not modified" are
//    revisits of a record before them where that is there, else full records with the head of their original.
// 3. An import of it gives the same versions and the same metadata.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "engine/snapshot.h"
#include "transfer/export_report.h"
#include "transfer/export_selection.h"
#include "warc/warc_writer.h"

namespace blockarch {

struct WarcExportOptions {
  ExportSelection selection;
  WarcCompression compression = WarcCompression::gzip;
  int level = 6;
  // A capture whose page is in the file already becomes a revisit, which names the record that has it. Keeps about 150
  // bytes for each distinct page in memory.
  bool revisits = false;
  std::string software;  // "blockarch 1.0", for the first record
  // Where given, gets a CDXJ line for each capture, unsorted. `filename` is what they call the WARC.
  std::function<Result<void>(std::string line)> on_line;
  std::string filename;
  ExportProgressFunction progress;
};

// Memory: a page or two, besides `revisits`. A capture that cannot be read is a problem of the report.
Result<ExportReport> export_warc(const Snapshot& snapshot, const WarcExportOptions& options, WarcWriter::Sink sink);

struct CdxjExportOptions {
  ExportSelection selection;
  ExportProgressFunction progress;
};

// Sorted lines with "url", "mime", "status", "digest" (of the payload as export_warc writes it) and "length" (of the
// page), without a place in a file.
Result<ExportReport> export_cdxj(const Snapshot& snapshot, const CdxjExportOptions& options,
                                 const std::function<Result<void>(ByteView)>& sink);

}  // namespace blockarch
