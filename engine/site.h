// A whole site as it was: every page of an archive as of a date, as files that a browser can open.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/snapshot.h"

namespace blockarch {

struct SiteOptions {
  Time at = Time::max();  // each page as of its last capture at or before this
  UrlFilter filter;
  bool exact = false;                                                     // the captured bytes, links as they are
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;  // may be empty
};

struct SiteReport {
  std::uint64_t pages = 0;            // written
  std::uint64_t skipped = 0;          // captured only later
  std::uint64_t links_rewritten = 0;  // that now lead to a file
  std::uint64_t bytes = 0;            // of the pages as written
  std::vector<std::string> problems;  // one line for each page that could not be read
};

// Writes the pages below `directory`, which is made if it is missing and must be empty (else `invalid`),
// under the names of SiteNames, and a table of contents as "index.html". Nothing is written outside of it:
// symbolic links that appear inside are not followed and no file is written over.
//
// In HTML pages, links to other pages that are written lead to their files; fragments stay. The other scheme
// (http for https) and a final "/" more or less are accepted where the exact URL is not there. Links that
// lead elsewhere stay as they are, except where a <base> has to go because it would bend the relative ones:
// those are made absolute. Every other byte stays. Pages in UTF-16 and ISO-2022-JP, pages over
// kMaxMarkupSize, and links inside style sheets and scripts that are pages of their own are left as captured.
//
// A page that cannot be read is a problem of the report and the rest goes on. An error to write ends it; the
// message says how much was written. Memory: the names of all pages, and one page at a time.
Result<SiteReport> checkout_site(const Snapshot& snapshot, const std::string& directory, const SiteOptions& options);

}  // namespace blockarch
