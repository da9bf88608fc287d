// Everything that can be asked of an archive, as of one moment: later commits do not show.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"
#include "objects/object_source.h"
#include "objects/page.h"
#include "refs/settings.h"
#include "refs/tags.h"
#include "refs/url_table.h"

namespace blockarch {

class View;

// A condition on metadata: one value of the key matches the glob.
struct MetadataFilter {
  std::string key;
  std::string pattern;
};

// Which URLs: all, or those of a host, or those that match a pattern.
struct UrlFilter {
  std::string host;         // "example.com"; empty = any
  bool subdomains = false;  // with `host`: also www.example.com
  std::string pattern;      // a glob over the URL as given ('*' and '?'); empty = any
  // Each must hold for the URL's own metadata or that of its last capture.
  std::vector<MetadataFilter> where = {};
};

struct UrlSummary {
  UrlNumber number;
  std::string url;  // as it was first given
  Time first;
  Time last;
  std::uint64_t captures = 0;
  Metadata metadata = {};  // of the URL itself
};

// One capture of a URL, as the log shows it.
struct LogEntry {
  Time time;
  VersionId version;
  bool changed = true;        // other bytes than the capture before it; true for the first
  std::uint64_t repeats = 0;  // unchanged captures after this one that were folded into it
  Time last_seen;             // of the last of those, else `time`
  std::uint64_t size = 0;
  std::string media_type;
  Metadata metadata;     // of this capture
  bool damaged = false;  // the version or the metadata cannot be read; what could be is filled in
};

struct LogOptions {
  std::optional<Time> since;  // at or after
  std::optional<Time> until;  // at or before
  std::uint64_t limit = 0;    // 0 = all
  bool unchanged = false;     // also each unchanged capture by itself; else they are folded into `repeats`
  bool oldest_first = false;
};

// A page as it was.
struct Page {
  std::string url;  // empty where it was asked for by version id
  Time time;        // of the capture that showed it
  VersionId id;
  PageFacts version;
  Bytes bytes;
};

struct BlockInfo {
  ObjectId content;  // leaves only
  bool is_leaf = true;
  std::uint32_t level = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// What `show` tells about a version, apart from when it was seen.
struct VersionInfo {
  VersionId id;
  Version version;
  std::uint64_t layout_bytes = 0;
  std::uint64_t slots = 0;
  std::vector<BlockInfo> blocks;  // pre-order, the whole page first
};

// A capture: a URL at a moment, and what it showed.
struct CaptureInfo {
  std::string url;
  UrlNumber number;
  Time time;
  VersionId version;
  Metadata metadata;
};

struct KindStats {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;         // of content
  std::uint64_t stored_bytes = 0;  // compressed, without LMDB's own overhead
};

struct ArchiveStats {
  std::uint64_t urls = 0;
  std::uint64_t captures = 0;
  std::uint64_t versions = 0;
  std::uint64_t logical_bytes = 0;   // the sum of all captures' payloads
  std::uint64_t distinct_bytes = 0;  // the sum of all versions' payloads
  std::vector<std::pair<ObjectKind, KindStats>> kinds;
  struct TableUse {
    std::string name;
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;  // whole pages
  };
  std::vector<TableUse> tables;
  // What stands in packs, by what it is.
  struct PackUse {
    std::string name;
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;         // decompressed
    std::uint64_t stored_bytes = 0;  // in the files
  };
  std::vector<PackUse> packed;
  std::uint64_t packs = 0;
  std::uint64_t free_bytes = 0;  // pages of hot.mdb that wait for reuse
  std::uint64_t disk_bytes = 0;  // all files of the archive
};

class Snapshot {
 public:
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;
  ~Snapshot();

  // In key order (a site together). The callback returns false to stop.
  Result<void> urls(const UrlFilter& filter, const std::function<bool(const UrlSummary&)>& each) const;

  // not_found where the archive does not have it; the message names a near one (other scheme, with or without "www.",
  // with or without a final "/") where there is one. invalid where it is no URL.
  Result<UrlNumber> find_url(std::string_view url) const;
  // What is known of the URL itself, whatever it showed.
  Result<Metadata> url_metadata(UrlNumber url) const;

  // Newest first unless asked otherwise. The callback returns false to stop.
  Result<void> log(UrlNumber url, const LogOptions& options, const std::function<bool(const LogEntry&)>& each) const;

  // The last capture at or before `at`; not_found names the first capture's time where there is only a later one.
  Result<CaptureInfo> capture_at(UrlNumber url, Time at) const;
  Result<CaptureInfo> first_capture(UrlNumber url) const;
  Result<CaptureInfo> last_capture(UrlNumber url) const;
  // The neighbours of the capture at `at`; nothing at either end.
  Result<std::optional<CaptureInfo>> next_capture(UrlNumber url, Time at) const;
  Result<std::optional<CaptureInfo>> previous_capture(UrlNumber url, Time at) const;
  // `steps` versions back from the last capture at or before `at`: unchanged repeats do not count.
  Result<CaptureInfo> versions_back(UrlNumber url, Time at, std::uint64_t steps) const;

  // The exact bytes of a version, checked against its hash.
  Result<Page> page(const CaptureInfo& capture) const;
  Result<Page> page(const VersionId& id) const;
  // Only the bytes. Those of a packed page are compared with its hash when they are first read from an open archive.
  Result<Bytes> page_bytes(const VersionId& id) const;

  Result<VersionInfo> version_info(const VersionId& id) const;

  // not_found / invalid as resolve_prefix says.
  Result<ObjectId> find_object(std::string_view hex_prefix) const;
  const ObjectSource& objects() const;

  Result<std::optional<Tag>> find_tag(std::string_view name) const;
  Result<std::vector<Tag>> tags() const;

  // See refs/settings.h. What another process writes as the archive's very first setting is seen once the archive is
  // opened again.
  Result<std::optional<Bytes>> find_setting(std::string_view name) const;
  Result<std::vector<Setting>> settings(std::string_view prefix) const;

  // Walks the whole archive; `progress` (may be empty) is told how many of how many steps are done.
  Result<ArchiveStats> stats(const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {}) const;

  struct Impl;
  const View& view() const;  // for engine/ itself

 private:
  friend class Archive;
  explicit Snapshot(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace blockarch
