// A batch of captures on its way into the archive. Private to engine/.
//
// 1. prepare() does all that is slow (cutting, hashing, compressing) against a read transaction, in any thread; add()
//    settles what is new to the batch; commit() only writes.
// 2. The write lock is held from Archive::writer() on, so nothing that add() saw can be gone at commit().
// 3. commit()'s transaction may run twice (base/lmdb.h), so it changes nothing of the batch.
#pragma once

#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/file.h"
#include "base/url.h"
#include "engine/archive_impl.h"
#include "engine/claims.h"
#include "engine/stored_ids.h"
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
  std::string profile;  // that it was cut with in this batch; empty = the default, or not known
};

// A page that was cut, on its way to become a PendingVersion. Views look into the payload.
struct CutPage {
  SplitPage page;
  Bytes layout;
  Bytes tree;
  Version version;
  VersionId id;
  // Blocks that the store did not have. What `page` has beyond them was there, or was another thread's to compress.
  std::unordered_map<Hash256, LooseObject> compressed;
  std::vector<bool> stored;  // for each object of `page`
};

// What a request asks for, with media type and charset settled and the payload's hash.
struct WantedCapture {
  Url url;
  Time time;
  ByteView payload;
  Hash256 hash;
  std::string media_type;
  std::string charset;
  const Segmenter* segmenter = nullptr;
  bool segmenter_given = false;
  int level = 0;
  std::string profile;
  Metadata metadata;
  Metadata url_metadata;

  // As far as a version tells: not by its profile.
  bool is_met_by(const VersionType& version) const;
};

struct PreparedCapture::Impl {
  WantedCapture wanted;
  std::uint64_t epoch = 0;              // what follows was true then
  std::optional<VersionNumber> stored;  // where the page was known
  std::optional<CutPage> cut;           // none where the page was known, or is being prepared by another thread
};

struct PendingCapture {
  Url url;
  Time time;
  std::size_t version = 0;  // in Writer::Impl::versions
  std::optional<LooseObject> metadata;
  Bytes metadata_content;
  Metadata url_metadata;
};

// The last layout, tree and lists (in page order) of a URL, which the next ones are stored as differences from.
struct PageBases {
  std::optional<LooseBase> layout;
  std::optional<LooseBase> tree;
  std::vector<std::optional<LooseBase>> lists;
  bool page_loaded = false;

  std::optional<LooseBase> metadata;
  bool metadata_loaded = false;
};

inline constexpr std::size_t kRecentBlocks = std::size_t{64} << 20;

struct Writer::Impl {
  Archive::Impl& archive;
  // Nobody replaces tables or packs while the lock is held. Whoever prepares holds `use`, so that they stay for as long.
  std::optional<FileLock> lock;
  mutable std::shared_mutex use;
  std::shared_ptr<Hot> hot;
  PackList packs;
  std::uint64_t epoch = 0;  // grows when others have had the archive
  // Numbers below these are, or were, of packs.
  std::uint32_t packed_versions = 0;
  std::uint32_t packed_metadata = 0;
  std::uint64_t packed_bytes = 0;  // of contents, decompressed

  std::vector<PendingVersion> versions;
  std::vector<PendingCapture> captures;
  std::unordered_multimap<Hash256, std::size_t> versions_by_payload;
  std::unordered_map<Hash256, std::size_t> versions_by_id;
  std::unordered_set<Hash256> pending_objects;
  std::uint64_t pending_bytes = 0;
  mutable Claims claims;
  mutable RecentBlocks recent_blocks{kRecentBlocks};
  mutable StoredIds stored_ids;  // in this epoch
  // Survives commits: a cache of what is stored.
  std::map<std::string, PageBases> bases;

  Impl(Archive::Impl& a, FileLock l, std::shared_ptr<Hot> h, PackList p)
      : archive(a), lock(std::move(l)), hot(std::move(h)), packs(std::move(p)) {
    count_packed();
  }

  void count_packed() {
    packed_versions = packed_metadata = 0;
    packed_bytes = 0;
    for (const auto& pack : packs) {
      for (const FrameEntry& frame : pack->directory().frames) {
        if (frame.type == FrameType::content) packed_bytes += frame.raw_size;
      }
      for (const NumberRun& run : pack->directory().version_numbers) {
        packed_versions = std::max(packed_versions, run.number + run.length);
      }
      for (const NumberRun& run : pack->directory().metadata_numbers) {
        packed_metadata = std::max(packed_metadata, run.number + run.length);
      }
    }
  }

  // Thread-safe; see Writer::prepare.
  Result<PreparedCapture::Impl> prepare(const CaptureRequest& request, std::vector<std::string>* warnings) const;
  Result<VersionId> add(PreparedCapture::Impl prepared);
  Result<void> add_repeat(const RepeatRequest& request);
  Result<std::vector<CaptureOutcome>> commit();
  Result<void> give_way(const std::function<Result<void>()>& work);
  void clear_batch();

 private:
  Result<WantedCapture> understand(const CaptureRequest& request, std::vector<std::string>* warnings) const;
  // With its blocks compressed.
  Result<CutPage> cut(const WantedCapture& wanted, const View& view) const;
  Result<void> compress_blocks(CutPage& cut, const View& view) const;

  Result<std::size_t> version_for(PreparedCapture::Impl& prepared, const View& view);
  std::size_t push_version(PendingVersion version);
  Result<std::size_t> version_of_id(const VersionId& id, const View& view);
  Result<std::optional<std::size_t>> known_version(const PreparedCapture::Impl& prepared, const View& view);
  // Fills `cut` where it cuts the page to find out.
  Result<std::optional<VersionNumber>> stored_version(const WantedCapture& wanted, const View& view,
                                                      std::optional<CutPage>& cut) const;
  CutPage cut_only(const WantedCapture& wanted, const View& view) const;
  Result<std::size_t> stage_page(const WantedCapture& wanted, CutPage cut, const View& view);
  Result<void> stage_contents(PendingVersion& version, CutPage& cut, PageBases& page_bases, const View& view);
  Result<void> stage_from_base(PendingVersion& version, const ObjectId& id, ByteView content,
                               std::optional<LooseBase>& base, const View& view);
  Result<void> set_metadata(PendingCapture& capture, const WantedCapture& wanted, const View& view);
  PageBases& bases_of(const WantedCapture& wanted);
  Result<void> load_page_bases(PageBases& found, const WantedCapture& wanted, const View& view) const;
  Result<std::optional<Observation>> nearest(const WantedCapture& wanted, const View& view) const;
  Result<bool> is_new(const View& view, const Hash256& id);
  void stage(PendingVersion& version, LooseObject object);
  void unstage(const PendingVersion& version);

  Result<void> write_batch(WriteTransaction& transaction, std::vector<CaptureOutcome>& outcomes) const;
  Result<void> write_objects(WriteTransaction& transaction, const View& view) const;
  Result<VersionNumber> write_version(WriteTransaction& transaction, const View& view,
                                      const PendingVersion& version) const;
  Result<CaptureOutcome> write_capture(WriteTransaction& transaction, const View& view, const PendingCapture& capture,
                                       VersionNumber number) const;
  Result<bool> fits_base(const View& view, ByteView value) const;
  Result<std::optional<MetadataNumber>> write_metadata(WriteTransaction& transaction, const View& view,
                                                       const PendingCapture& capture,
                                                       const std::optional<Observation>& before) const;
  Result<CaptureChange> compare(const View& view, const std::optional<Observation>& before, VersionNumber number,
                                const Hash256& payload) const;
};

}  // namespace blockarch
