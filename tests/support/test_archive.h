// An archive in a temporary directory, with short ways to put captures in and ask for them.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "engine/archive.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "tests/support/require_clean.h"
#include "tests/support/temporary_directory.h"

namespace blockarch {

// The value, or a failed test with the message.
template <typename T>
T must(Result<T> result) {
  if (!result) FAIL(result.error().message);
  return std::move(result).value();
}
inline void must(const Result<void>& result) {
  if (!result) FAIL(result.error().message);
}

class TestArchive {
 public:
  TestArchive() : path_(directory_.path() + "/archive") {
    must(Archive::create(path_));
    archive_.emplace(must(Archive::open(path_)));
  }

  const std::string& path() const { return path_; }
  Archive& archive() { return *archive_; }
  Snapshot snapshot() { return must(archive_->snapshot()); }

  CaptureOutcome add(const std::string& url, ByteView payload, Time time, const std::string& type = "text/html") {
    CaptureRequest request;
    request.url = url;
    request.payload = payload;
    request.time = time;
    request.content_type = type;
    return add(request);
  }

  CaptureOutcome add(const CaptureRequest& request) {
    Writer writer = must(archive_->writer());
    must(writer.add(request));
    return must(writer.commit()).at(0);
  }

  Bytes page(const std::string& url, Time at) {
    const Snapshot s = snapshot();
    return must(s.page(must(s.capture_at(must(s.find_url(url)), at)))).bytes;
  }

  std::vector<LogEntry> log(const std::string& url, const LogOptions& options = {}) {
    const Snapshot s = snapshot();
    std::vector<LogEntry> entries;
    must(s.log(must(s.find_url(url)), options, [&](const LogEntry& e) {
      entries.push_back(e);
      return true;
    }));
    return entries;
  }

  // The last line of a test: nothing it did has damaged the archive.
  void require_clean() { blockarch::require_clean(path_); }

 private:
  TemporaryDirectory directory_;
  std::string path_;
  std::optional<Archive> archive_;
};

}  // namespace blockarch
