// WARC, ARC and WACZ files as a source of captures, one file after the other.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transfer/source.h"
#include "transfer/warc_capture.h"
#include "warc/reader.h"

namespace blockarch {

struct WarcSourceOptions {
  WarcCaptureOptions capture;
  std::uint64_t spill_limit = kSpillLimit;
  std::string spill_directory;
  int max_zstd_window_log = 27;
};

// "-" is standard input. A file that is no archive, or that cannot be read to its end, is a problem of that file; the
// others are read.
std::unique_ptr<CaptureSource> make_warc_source(std::vector<std::string> paths, const WarcSourceOptions& options);

}  // namespace blockarch
