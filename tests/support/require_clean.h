// The last assertion of a test that wrote to an archive: every object, reference and page of it is sound.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "fsck/fsck.h"

namespace blockarch {

inline void require_clean(const std::string& archive_directory) {
  FsckOptions options;
  options.full = true;
  const auto report = check_archive(archive_directory, options);
  if (!report) FAIL(report.error().message);
  std::string findings;
  for (const Finding& finding : report->findings) findings += "\n  " + finding.id + ": " + finding.message;
  INFO("findings in " << archive_directory << ":" << findings);
  REQUIRE(report->clean());
}

}  // namespace blockarch
