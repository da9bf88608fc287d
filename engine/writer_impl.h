// A batch of captures on its way into the archive. Private to engine/.
//
// 1. add() does all that is slow (cutting, hashing, compressing) against a read transaction; commit() only writes.
// 2. The write lock is held from Archive::writer() on, so nothing that add() saw can be gone at commit().
// 3. commit()'s transaction may run twice (base/lmdb.h), so it changes nothing of the batch.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/file.h"
#include "base/url.h"
#include "engine/archive_impl.h"
#include "engine/writer.h"
#include "objects/version.h"
#include "refs/history.h"
#include "segment/split.h"

namespace blockarch {

// A version that the batch refers to: one that is stored already has a number and no objects.
struct PendingVersion {
  Version version;
  VersionId id;
  std::optional<VersionNumber> number;
  std::vector<LooseObject> objects;
};

struct PendingCapture {
  Url url;
  Time time;
  std::size_t version = 0;  // in Writer::Impl::versions
  std::optional<LooseObject> metadata;
};

// The last layout, tree and lists (in page order) of a URL, which the next ones are stored as differences from.
struct PageBases {
  std::optional<LooseBase> layout;
  std::optional<LooseBase> tree;
  std::vector<std::optional<LooseBase>> lists;
};

struct Writer::Impl {
  Archive::Impl& archive;
  FileLock lock;

  std::vector<PendingVersion> versions;
  std::vector<PendingCapture> captures;
  std::unordered_multimap<Hash256, std::size_t> versions_by_payload;
  std::unordered_set<Hash256> pending_objects;
  std::uint64_t pending_bytes = 0;
  // Survives commits: a cache of what is stored.
  std::map<std::string, PageBases> bases;

  Impl(Archive::Impl& a, FileLock l) : archive(a), lock(std::move(l)) {}

  Result<void> add(const CaptureRequest& request, std::vector<std::string>* warnings);
  Result<std::vector<CaptureOutcome>> commit();
  void clear_batch();

 private:
  // What the request asks for, with media type and charset settled and the payload's hash.
  struct Wanted;
  Result<Wanted> understand(const CaptureRequest& request, std::vector<std::string>* warnings) const;
  Result<std::size_t> version_for(const Wanted& wanted);
  Result<std::optional<std::size_t>> known_version(const Wanted& wanted, const ReadTransaction& transaction);
  Result<std::size_t> cut(const Wanted& wanted, const ReadTransaction& transaction);
  Result<void> stage_contents(PendingVersion& version, const SplitPage& page, PageBases& page_bases,
                              const ReadTransaction& transaction);
  Result<void> stage_from_base(PendingVersion& version, const ObjectId& id, ByteView content,
                               std::optional<LooseBase>& base, const ReadTransaction& transaction);
  Result<PageBases> find_bases(const Wanted& wanted, const ReadTransaction& transaction);
  Result<bool> is_new(const ReadTransaction& transaction, const Hash256& id);
  void stage(PendingVersion& version, LooseObject object);
  void unstage(const PendingVersion& version);

  Result<void> write_batch(WriteTransaction& transaction, std::vector<CaptureOutcome>& outcomes) const;
  Result<VersionNumber> write_version(WriteTransaction& transaction, const PendingVersion& version) const;
  Result<CaptureOutcome> write_capture(WriteTransaction& transaction, const PendingCapture& capture,
                                       VersionNumber number) const;
  Result<std::optional<MetadataNumber>> write_metadata(WriteTransaction& transaction, const PendingCapture& capture,
                                                       const std::optional<Observation>& before) const;
  Result<CaptureChange> compare(const ReadTransaction& transaction, const std::optional<Observation>& before,
                                VersionNumber number, const Hash256& payload) const;
};

}  // namespace blockarch
