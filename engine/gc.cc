// 1. Mark from a snapshot, write packs without what is dead, while others read and write.
// 2. With the writer's lock held: where anything was committed since, mark again. If something that seemed dead is needed
//    after all, begin anew, the last time with the lock held throughout.
// 3. One transaction takes out what is dead and puts the new pack in the place of the old ones.
// 4. The old packs go into quarantine; those of the collection before are removed.
#include "engine/gc.h"

#include <algorithm>
#include <optional>

#include "engine/gc_impl.h"
#include "engine/marking.h"
#include "engine/pack_builder.h"
#include "engine/upkeep.h"
#include "refs/pack_table.h"
#include "refs/payload_index.h"
#include "refs/removed.h"

namespace blockarch {
namespace {

bool is_subset(const std::vector<bool>& needed, const std::vector<bool>& marked) {
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] && i < marked.size() && !marked[i]) return false;
  }
  return true;
}

// Whether everything that `now` needs, as far as `before` knew of it, was marked by `before`.
bool still_dead(const Marks& before, const Marks& now, const std::vector<Hash256>& dead_loose) {
  if (!is_subset(now.versions, before.versions) || !is_subset(now.metadata, before.metadata)) return false;
  for (const PackMarks& marks : now.packs) {
    const auto same = std::find_if(before.packs.begin(), before.packs.end(),
                                   [&](const PackMarks& other) { return other.pack->name() == marks.pack->name(); });
    if (same == before.packs.end()) continue;
    if (!is_subset(marks.versions, same->versions) || !is_subset(marks.metadata, same->metadata) ||
        !is_subset(marks.contents, same->contents) || !is_subset(marks.lists, same->lists)) {
      return false;
    }
  }
  return std::none_of(dead_loose.begin(), dead_loose.end(), [&](const Hash256& id) { return now.loose.count(id) > 0; });
}

class Collection {
 public:
  Collection(Upkeep& upkeep, const GcOptions& options)
      : upkeep_(upkeep), options_(options), expires_{options.now.micros - options.grace.count()} {}

  Result<GcReport> run() {
    BA_ASSIGN(report_.bytes_before, disk_bytes(upkeep_.archive()));
    if (!options_.dry_run) BA_TRY(upkeep_.empty_quarantine());
    constexpr int kTries = 3;
    for (int i = 0; i < kTries; ++i) {
      BA_ASSIGN(const bool done, attempt(i == kTries - 1));
      if (done) break;
    }
    if (!options_.dry_run) {
      BA_TRY(upkeep_.sweep());
      if (options_.at_once) BA_TRY(upkeep_.empty_quarantine());
    }
    BA_ASSIGN(report_.bytes_after, disk_bytes(upkeep_.archive()));
    return report_;
  }

 private:
  // False where something that seemed dead has come to be needed.
  Result<bool> attempt(bool hold_lock) {
    std::optional<FileLock> lock;
    if (hold_lock && !options_.dry_run) BA_TRY(take(lock));
    std::uint64_t seen = 0;
    {
      BA_ASSIGN(const auto snapshot, open_snapshot(upkeep_.archive()));
      const std::uint64_t before = report_.bytes_before;
      report_ = {};
      report_.bytes_before = before;
      seen = snapshot->transaction.id();
      stage("marking", 0);
      BA_ASSIGN(marks_, mark(snapshot->view, expires_));
      BA_TRY(find_dead(snapshot->view));
      if (options_.dry_run) return true;
      BA_TRY(write_pack(snapshot->view));
    }
    if (!lock) BA_TRY(take(lock));
    BA_ASSIGN(const auto hot, upkeep_.archive().hot());
    BA_TRY(hot->make_later_tables());
    BA_ASSIGN(const auto snapshot, open_snapshot(upkeep_.archive()));
    if (snapshot->transaction.id() != seen) {
      BA_ASSIGN(const Marks now, mark(snapshot->view, expires_));
      if (!still_dead(marks_, now, dead_loose_)) return false;
    }
    BA_TRY(commit(*hot, snapshot->view));
    return true;
  }

  Result<void> take(std::optional<FileLock>& lock) {
    BA_ASSIGN(FileLock taken, FileLock::acquire(upkeep_.archive().path(kLockFile), options_.wait));
    lock.emplace(std::move(taken));
    return {};
  }

  void stage(const char* name, std::uint64_t done) const {
    if (options_.progress) options_.progress(name, done, marks_.versions.size());
  }

  Result<void> find_dead(const View& view) {
    const auto count = [this](const Removed& removed) -> Result<void> {
      (removed.when <= expires_ ? report_.expired_captures : report_.waiting_captures) += removed.observations.size();
      return {};
    };
    BA_TRY(each_removed(view.transaction(), view.tables, count));
    BA_TRY(find_dead_loose(view));
    BA_TRY(find_dead_numbers(view));
    concerned_.clear();
    for (const PackMarks& marks : marks_.packs) {
      const PackDirectory& d = marks.pack->directory();
      GcReport::PackUse use{marks.pack->name().hex(), marks.pack->file_size(),
                            std::uint64_t{d.versions} + d.metadata + d.contents + d.lists,
                            marks.dead_versions() + marks.dead_metadata() + marks.dead_objects()};
      const auto worth = static_cast<double>(use.objects) * options_.worth;
      use.rewritten = use.dead_objects > 0 && static_cast<double>(use.dead_objects) >= worth;
      if (use.rewritten) concerned_.push_back(&marks);
      report_.packs.push_back(std::move(use));
    }
    return {};
  }

  Result<void> find_dead_loose(const View& view) {
    dead_loose_.clear();
    BA_ASSIGN(Cursor cursor, view.transaction().cursor(view.tables.objects));
    BA_ASSIGN(auto entry, cursor.first());
    while (entry) {
      const Hash256 id = Hash256::from_bytes(entry->key);
      if (!marks_.loose.count(id)) {
        dead_loose_.push_back(id);
        ++report_.loose_objects;
        report_.loose_bytes += entry->key.size() + entry->value.size();
      }
      BA_ASSIGN(entry, cursor.next());
    }
    return {};
  }

  // Numbers of loose versions and metadata that nothing names; of packed ones the pack knows.
  Result<void> find_dead_numbers(const View& view) {
    dead_versions_.clear();
    dead_metadata_.clear();
    for (std::uint32_t n = 0; n < marks_.versions.size(); ++n) {
      if (marks_.versions[n]) continue;
      if (view.objects.packed_version(n)) {
        ++report_.dead_versions;
      } else if (view.version_id(VersionNumber{n})) {
        const auto facts = view.facts(VersionNumber{n});
        dead_versions_.push_back({n, facts ? facts->payload_head : 0});
        ++report_.dead_versions;
      }
    }
    for (std::uint32_t n = 0; n < marks_.metadata.size(); ++n) {
      if (marks_.metadata[n]) continue;
      if (view.objects.packed_metadata(n)) {
        ++report_.dead_metadata;
      } else if (view.metadata_id(MetadataNumber{n})) {
        dead_metadata_.push_back(n);
        ++report_.dead_metadata;
      }
    }
    return {};
  }

  const PackMarks* concerned(const Pack* pack) const {
    for (const PackMarks* marks : concerned_) {
      if (marks->pack.get() == pack) return marks;
    }
    return nullptr;
  }

  // Objects that stay where they are: loose, or in a pack that is not written anew.
  Result<bool> stays(const View& view, const Hash256& id) const {
    BA_ASSIGN(const bool loose, view.objects.loose().contains(id));
    if (loose) return true;
    for (const auto& pack : view.objects.packs()) {
      if (concerned(pack.get())) continue;
      BA_ASSIGN(const auto place, view.objects.locate(*pack, id));
      if (place) return true;
    }
    return false;
  }

  Result<void> write_pack(const View& view) {
    name_.reset();
    if (concerned_.empty()) return {};
    PackBuilderOptions options;
    options.codec = codec_of(*concerned_[0]->pack);
    options.takes = [&](const Hash256& id) -> Result<bool> {
      BA_ASSIGN(const bool elsewhere, stays(view, id));
      return !elsewhere;
    };
    BA_ASSIGN(PackWriter writer, PackWriter::create(*upkeep_.archive().files, upkeep_.temporary_pack(), options.codec));
    PackBuilder builder(view.objects, writer, options);
    BA_TRY(add_pages(view, builder));
    BA_TRY(add_extras(view, builder));
    BA_TRY(builder.finish());
    if (builder.versions() == 0 && builder.metadata() == 0 && writer.contents() == 0) return {};  // nothing is left
    BA_ASSIGN(name_, writer.finish());
    return upkeep_.publish_pack(*name_);
  }

  static PackCodec codec_of(const Pack& pack) {
    for (const FrameEntry& frame : pack.directory().frames) {
      if (frame.codec == FrameCodec::deflate) return {FrameCodec::deflate, 9};
    }
    return {};
  }

  Result<void> add_pages(const View& view, PackBuilder& builder) {
    std::vector<bool> versions(marks_.versions.size(), false);
    std::vector<bool> metadata(marks_.metadata.size(), false);
    std::uint64_t done = 0;
    const auto add_version = [&](std::uint32_t number, bool& begun) -> Result<void> {
      if (versions[number]) return {};
      const auto packed = view.objects.packed_version(number);
      const PackMarks* marks = packed ? concerned(packed->pack) : nullptr;
      if (!marks || !marks->versions[packed->ordinal]) return {};
      if (options_.stop && *options_.stop) return Error{ErrorCode::interrupted, "stopped: nothing was changed"};
      versions[number] = true;
      if (!begun) BA_TRY(builder.begin_url());
      begun = true;
      BA_ASSIGN(const VersionId id, view.version_id(VersionNumber{number}));
      stage("packing", ++done);
      return builder.add_version(number, id.hash);
    };
    const auto add_metadata = [&](std::uint32_t number) -> Result<void> {
      if (metadata[number]) return {};
      const auto packed = view.objects.packed_metadata(number);
      const PackMarks* marks = packed ? concerned(packed->pack) : nullptr;
      if (!marks || !marks->metadata[packed->ordinal]) return {};
      metadata[number] = true;
      BA_ASSIGN(Bytes content, view.metadata_content(MetadataNumber{number}));
      return builder.add_metadata(number, std::move(content));
    };
    const auto add_lineage = [&](const Lineage& lineage) -> Result<void> {
      bool begun = false;
      for (const Observation& o : lineage.observations) {
        BA_TRY(add_version(o.version.value, begun));
        if (o.metadata) BA_TRY(add_metadata(o.metadata->value));
      }
      return {};
    };
    BA_TRY(each_lineage(view, add_lineage));
    // What only loose objects are differences from.
    bool begun = false;
    for (std::uint32_t n = 0; n < versions.size(); ++n) BA_TRY(add_version(n, begun));
    for (std::uint32_t n = 0; n < metadata.size(); ++n) BA_TRY(add_metadata(n));
    return {};
  }

  // What only other packs, or loose objects, need.
  Result<void> add_extras(const View& view, PackBuilder& builder) {
    BA_TRY(builder.flush());
    for (const PackMarks* marks : concerned_) {
      for (std::uint32_t n = 0; n < marks->contents.size(); ++n) {
        if (!marks->contents[n]) continue;
        BA_ASSIGN(const Pack::ContentName content, marks->pack->content_name(n));
        if (!builder.has(content.id)) BA_TRY(builder.add_extra({content.kind, content.id}));
      }
      for (std::uint32_t n = 0; n < marks->lists.size(); ++n) {
        if (!marks->lists[n]) continue;
        BA_ASSIGN(const Hash256 id, view.objects.list_id(*marks->pack, {n, false}));
        if (!builder.has(id)) BA_TRY(builder.add_extra({ObjectKind::list, id}));
      }
    }
    return {};
  }

  Result<void> commit(Hot& hot, const View& view) {
    const Tables tables = hot.tables();
    std::vector<Removed> expired;
    const auto find_expired = [&](const Removed& removed) -> Result<void> {
      if (removed.when <= expires_) expired.push_back(removed);
      return {};
    };
    BA_TRY(each_removed(view.transaction(), view.tables, find_expired));
    const auto written = hot.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      for (const Removed& removed : expired) BA_TRY(erase_removed(transaction, tables, removed));
      for (const Hash256& id : dead_loose_) BA_TRY(transaction.erase(tables.objects, id.view()));
      for (const DeadVersion& dead : dead_versions_) {
        BA_TRY(number_table::forget(transaction, tables.version_numbers, dead.number));
        BA_TRY(erase_payload(transaction, tables.payloads, dead.payload_head, VersionNumber{dead.number}));
      }
      for (const std::uint32_t number : dead_metadata_) {
        BA_TRY(number_table::forget(transaction, tables.metadata_numbers, number));
      }
      for (const PackMarks* marks : concerned_) BA_TRY(erase_pack(transaction, tables, marks->pack->name()));
      if (name_) BA_TRY(add_pack(transaction, tables, *name_));
      return {};
    });
    BA_TRY(written);
    for (const PackMarks* marks : concerned_) {
      if (!name_ || marks->pack->name() != *name_) BA_TRY(upkeep_.quarantine_pack(marks->pack->name()));
    }
    return {};
  }

  struct DeadVersion {
    std::uint32_t number = 0;
    std::uint64_t payload_head = 0;
  };

  Upkeep& upkeep_;
  const GcOptions& options_;
  const Time expires_;
  GcReport report_;
  Marks marks_;
  std::vector<const PackMarks*> concerned_;
  std::vector<Hash256> dead_loose_;
  std::vector<DeadVersion> dead_versions_;
  std::vector<std::uint32_t> dead_metadata_;
  std::optional<Hash256> name_;
};

}  // namespace

Result<GcReport> collect(Upkeep& upkeep, const GcOptions& options) {
  return Collection(upkeep, options).run();
}

Result<GcReport> collect_garbage(Archive& archive, const GcOptions& options) {
  BA_ASSIGN(Upkeep upkeep, Upkeep::begin(archive.impl(), options.wait));
  if (!options.dry_run) {
    BA_ASSIGN(const bool unfinished, has_unfinished_erasure(archive.impl()));
    if (unfinished) BA_TRY(finish_erasure(upkeep, options.now, options.wait));
  }
  return collect(upkeep, options);
}

}  // namespace blockarch
