// Which captures an export takes, and the walk over them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/url.h"
#include "engine/snapshot.h"

namespace blockarch {

// Before the URLs under which an exact import keeps what is no capture: "warc+request:https://…".
inline constexpr std::string_view kRecordScheme = "warc+";

struct ExportSelection {
  // Parts of URLs, or, with a '*', patterns for the whole (engine/glob.h). One must fit; with none all do.
  std::vector<std::string> patterns;
  std::string host;  // as UrlFilter has it
  bool subdomains = false;
  std::optional<Time> since;  // at or after
  std::optional<Time> until;  // at or before
  // Of each URL only what it showed at these instants: its last capture at or before each.
  std::vector<Time> instants;
  // Also the records that an exact import keeps under "warc+TYPE:" URLs.
  bool records = false;
};

struct ExportUrl {
  UrlNumber number;
  std::string given;
  Url url;
  std::uint64_t captures = 0;  // all of it, selected or not
};

struct ExportCapture {
  Time time;
  VersionId version;
  Metadata metadata;
  bool damaged = false;  // its metadata cannot be read
};

struct ExportProgress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// In key order, those that may have selected captures. An error of the callback ends the walk and is returned.
Result<void> each_selected_url(const Snapshot& snapshot, const ExportSelection& selection,
                               const std::function<Result<void>(const ExportUrl&)>& each);

// In order of time; captures of the same time in order of arrival.
Result<void> each_selected_capture(const Snapshot& snapshot, const ExportSelection& selection, UrlNumber url,
                                   const std::function<Result<void>(const ExportCapture&)>& each);

// How many captures the URLs have: the end of a progress bar.
Result<std::uint64_t> count_captures(const Snapshot& snapshot, const ExportSelection& selection);

}  // namespace blockarch
