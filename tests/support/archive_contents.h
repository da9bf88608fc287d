// Everything that an archive shows: each capture of each URL with its version and its bytes. Equal before and after whatever
// must not change it.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "tests/support/test_archive.h"

namespace blockarch {

struct SeenCapture {
  Hash256 version;
  Hash256 payload;
  Metadata metadata;
  bool operator==(const SeenCapture&) const = default;
};

// By URL, time and place among those of one time.
using ArchiveContents = std::map<std::tuple<std::string, std::int64_t, int>, SeenCapture>;

inline ArchiveContents contents_of(Archive& archive) {
  ArchiveContents all;
  const Snapshot snapshot = must(archive.snapshot());
  std::vector<UrlSummary> urls;
  must(snapshot.urls({}, [&](const UrlSummary& url) {
    urls.push_back(url);
    return true;
  }));
  for (const UrlSummary& url : urls) {
    must(snapshot.log(url.number, {.unchanged = true, .oldest_first = true}, [&](const LogEntry& entry) {
      REQUIRE_FALSE(entry.damaged);
      const Page page = must(snapshot.page(entry.version));
      CHECK(blake3(page.bytes) == page.version.payload_hash);
      CHECK(must(snapshot.page_bytes(entry.version)) == page.bytes);
      int rank = 0;
      while (all.count({url.url, entry.time.micros, rank})) ++rank;
      all[{url.url, entry.time.micros, rank}] = {entry.version.hash, page.version.payload_hash, entry.metadata};
      return true;
    }));
  }
  return all;
}

}  // namespace blockarch
