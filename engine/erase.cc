// 1. One transaction takes the captures out of the histories, and writes the tombstone and a note that the erasure is not
//    finished. From then on nothing refers to what is to go; after a crash the next collection finds the note and finishes.
// 2. A collection without grace for them writes the packs concerned anew and removes the old ones at once.
// 3. LMDB does not wipe what it frees, so the tables are written anew too. Then the note goes.
#include "engine/erase.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/coding.h"
#include "engine/archive_impl.h"
#include "engine/gc_impl.h"
#include "engine/hot_rewrite.h"
#include "engine/removal_impl.h"
#include "engine/upkeep.h"
#include "refs/history.h"
#include "refs/hot_file.h"
#include "refs/removed.h"
#include "refs/settings.h"

namespace blockarch {
namespace {

constexpr char kTombstones[] = "tombstone/";
constexpr char kUnfinished[] = "erasure/unfinished";

Bytes encode_tombstone(const Tombstone& tombstone) {
  Bytes out;
  put_varint(out, 1);  // encoding version
  put_zigzag(out, tombstone.when.micros);
  put_string(out, tombstone.what);
  put_string(out, tombstone.reason);
  put_string(out, tombstone.by);
  put_varint(out, tombstone.captures);
  put_varint(out, tombstone.versions);
  return out;
}

Result<Tombstone> decode_tombstone(ByteView bytes) {
  constexpr std::uint64_t kLimit = 1 << 20;
  ByteReader reader(bytes);
  if (reader.varint() != 1) reader.fail();
  Tombstone tombstone;
  tombstone.when.micros = reader.zigzag();
  tombstone.what = reader.string(kLimit);
  tombstone.reason = reader.string(kLimit);
  tombstone.by = reader.string(kLimit);
  tombstone.captures = reader.varint();
  tombstone.versions = reader.varint();
  BA_TRY(reader.finish("a tombstone"));
  return tombstone;
}

class Erasure {
 public:
  Erasure(Upkeep& upkeep, const EraseOptions& options) : upkeep_(upkeep), options_(options) {}

  // `hit` says which observations go, given the URL; `metadata` which metadata goes from those that stay.
  using Hit = std::function<bool(UrlNumber, const Observation&)>;
  Result<EraseReport> run(const std::string& what, const Hit& hit, const std::unordered_set<std::uint32_t>& metadata,
                          const std::string& removed_url) {
    BA_ASSIGN(report_.bytes_before, disk_bytes(upkeep_.archive()));
    report_.tombstone = {options_.now, what, options_.reason, options_.by, 0, 0};
    BA_TRY(take_out(hit, metadata, removed_url));
    if (!options_.dry_run) BA_TRY(finish_erasure(upkeep_, options_.now, options_.wait));
    BA_ASSIGN(report_.bytes_after, disk_bytes(upkeep_.archive()));
    return report_;
  }

 private:
  Result<void> take_out(const Hit& hit, const std::unordered_set<std::uint32_t>& metadata,
                        const std::string& removed_url) {
    Archive::Impl& archive = upkeep_.archive();
    BA_ASSIGN(const FileLock lock, FileLock::acquire(archive.path(kLockFile), options_.wait));
    BA_ASSIGN(const auto hot, archive.hot());
    BA_TRY(hot->make_later_tables());
    BA_ASSIGN(const auto snapshot, open_snapshot(archive));
    const Tables tables = hot->tables();
    const Error rolled_back{ErrorCode::interrupted, "a dry run ends here"};
    const auto written = hot->lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      report_.captures.clear();
      BA_TRY(change_histories(transaction, tables, snapshot->view, hit, metadata));
      BA_TRY(change_removed(transaction, tables, hit, metadata, removed_url));
      if (options_.dry_run) return rolled_back;
      return write_tombstone(transaction, tables);
    });
    if (options_.dry_run && !written && written.error().message == rolled_back.message) return {};
    return written;
  }

  Result<void> change_histories(WriteTransaction& transaction, const Tables& tables, const View& view, const Hit& hit,
                                const std::unordered_set<std::uint32_t>& metadata) {
    std::vector<std::pair<UrlNumber, std::string>> urls;
    {
      BA_ASSIGN(UrlCursor cursor, UrlCursor::open(transaction, tables, ""));
      while (true) {
        BA_ASSIGN(const auto url, cursor.next());
        if (!url) break;
        urls.emplace_back(url->number, url->given);
      }
    }
    std::unordered_set<std::uint32_t> gone;
    std::unordered_set<std::uint32_t> staying;
    for (const auto& [number, given] : urls) {
      BA_ASSIGN(const auto all, all_observations(transaction, tables, number));
      std::vector<Observation> stay;
      bool changed = false;
      for (const Observation& o : all) {
        if (hit(number, o)) {
          BA_ASSIGN(const VersionId id, view.version_id(o.version));
          report_.captures.push_back({given, o.time, id});
          gone.insert(o.version.value);
          changed = true;
          continue;
        }
        staying.insert(o.version.value);
        stay.push_back(o);
        if (o.metadata && metadata.count(o.metadata->value)) {
          stay.back().metadata.reset();
          changed = true;
        }
      }
      if (!changed) continue;
      BA_TRY(replace_history(transaction, tables, number, stay));
      if (stay.empty()) BA_TRY(erase_url(transaction, tables, number));
    }
    report_.tombstone.captures = report_.captures.size();
    report_.shared_versions = 0;
    for (const std::uint32_t version : gone) report_.shared_versions += staying.count(version);
    report_.tombstone.versions = gone.size() - report_.shared_versions;
    return {};
  }

  // What was pruned or forgotten before goes too.
  Result<void> change_removed(WriteTransaction& transaction, const Tables& tables, const Hit& hit,
                              const std::unordered_set<std::uint32_t>& metadata, const std::string& removed_url) {
    std::vector<Removed> all;
    const auto collect_all = [&](const Removed& removed) -> Result<void> {
      all.push_back(removed);
      return {};
    };
    BA_TRY(each_removed(transaction, tables, collect_all));
    constexpr UrlNumber kNone{UINT32_MAX};
    for (Removed& removed : all) {
      const bool of_url = !removed_url.empty() && removed.url == removed_url;
      auto& list = removed.observations;
      const std::size_t before = list.size();
      std::erase_if(list, [&](const Observation& o) { return of_url || hit(kNone, o); });
      bool changed = list.size() != before;
      for (Observation& o : list) {
        if (!o.metadata || !metadata.count(o.metadata->value)) continue;
        o.metadata.reset();
        changed = true;
      }
      if (!changed) continue;
      const Bytes key = encode_removed_key(removed.when, removed.order);
      if (list.empty()) {
        BA_TRY(erase_removed(transaction, tables, removed));
      } else {
        BA_TRY(transaction.put(tables.removed, key, encode_removed(key, removed)));
      }
    }
    return {};
  }

  Result<void> write_tombstone(WriteTransaction& transaction, const Tables& tables) const {
    for (int n = 1;; ++n) {
      const std::string name = fmt::format("{}{:020}-{}", kTombstones, options_.now.micros, n);
      BA_ASSIGN(const auto taken, find_setting(transaction, tables, name));
      if (taken) continue;
      BA_TRY(put_setting(transaction, tables, {kUnfinished, Bytes("1")}));
      return put_setting(transaction, tables, {name, encode_tombstone(report_.tombstone)});
    }
  }

  Upkeep& upkeep_;
  const EraseOptions& options_;
  EraseReport report_;
};

Result<void> check(const EraseOptions& options) {
  constexpr std::size_t kLimit = 10'000;
  if (options.reason.empty() || options.reason.size() > kLimit) {
    return Error{ErrorCode::invalid, "an erasure needs a reason of at most 10,000 bytes: give --reason"};
  }
  if (options.by.empty() || options.by.size() > kLimit) {
    return Error{ErrorCode::invalid, "an erasure is signed off by somebody: give --by"};
  }
  return {};
}

Result<bool> page_holds(const View& view, VersionNumber number, const VersionId& id, const ObjectId& object) {
  LayoutId layout;
  BlockTree tree;
  if (const auto packed = view.objects.packed_version(number.value)) {
    BA_ASSIGN(layout.hash, view.objects.layout_id(*packed));
    BA_ASSIGN(tree, view.objects.tree(*packed));
  } else {
    BA_ASSIGN(const Version version, load_version(view.objects, id));
    layout = version.layout;
    BA_ASSIGN(tree, load_block_tree(view.objects, version.tree));
  }
  if (object.kind == ObjectKind::layout) return layout.hash == object.hash;
  if (object.kind == ObjectKind::tree) return hash_object(ObjectKind::tree, encode_block_tree(tree)) == object.hash;
  for (const TreeNode& node : tree.nodes) {
    if (!node.is_leaf()) continue;
    if (node.content.hash == object.hash) return true;
    if (node.content.kind != ObjectKind::list || object.kind != ObjectKind::block) continue;
    BA_ASSIGN(const BlockList list, load_block_list(view.objects, ListId{node.content.hash}));
    for (const Chunk& chunk : list.chunks) {
      if (chunk.id.hash == object.hash) return true;
    }
  }
  return false;
}

// Numbers of the versions whose pages hold the object.
Result<void> find_versions_with(const View& view, const ObjectId& object, std::unordered_set<std::uint32_t>& found) {
  BA_ASSIGN(const std::uint32_t count, view.version_count());
  for (std::uint32_t n = 0; n < count; ++n) {
    const auto id = view.version_id(VersionNumber{n});
    if (!id) continue;
    if (object.kind == ObjectKind::version) {
      if (id->hash == object.hash) found.insert(n);
      continue;
    }
    BA_ASSIGN(const bool holds, page_holds(view, VersionNumber{n}, *id, object));
    if (holds) found.insert(n);
  }
  return {};
}

}  // namespace

Result<bool> has_unfinished_erasure(Archive::Impl& archive) {
  BA_ASSIGN(const auto hot, archive.hot());
  BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
  BA_ASSIGN(const auto noted, find_setting(transaction, hot->tables(), kUnfinished));
  return noted.has_value();
}

Result<void> finish_erasure(Upkeep& upkeep, Time now, std::chrono::milliseconds wait) {
  GcOptions collection;
  collection.now = now;
  collection.worth = 0;
  collection.at_once = true;
  collection.wait = wait;
  BA_TRY(collect(upkeep, collection));
  Archive::Impl& archive = upkeep.archive();
  BA_ASSIGN(const FileLock lock, FileLock::acquire(archive.path(kLockFile), wait));
  BA_TRY(copy_hot(archive));
  BA_TRY(upkeep.sweep());
  BA_ASSIGN(const auto hot, archive.hot());
  return hot->lmdb.write(
      [&](WriteTransaction& transaction) { return erase_setting(transaction, hot->tables(), kUnfinished); });
}

Result<EraseReport> erase_url_for_good(Archive& archive, const std::string& url, const EraseOptions& options) {
  BA_TRY(check(options));
  BA_ASSIGN(Upkeep upkeep, Upkeep::begin(archive.impl(), options.wait));
  UrlNumber number;
  std::string given;
  {
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(number, snapshot.find_url(url));
    BA_ASSIGN(const CaptureInfo first, snapshot.first_capture(number));
    given = first.url;
  }
  return Erasure(upkeep, options)
      .run(
          given, [number](UrlNumber of, const Observation&) { return of == number; }, {}, given);
}

Result<EraseReport> erase_object_for_good(Archive& archive, const ObjectId& object, const EraseOptions& options) {
  BA_TRY(check(options));
  BA_ASSIGN(Upkeep upkeep, Upkeep::begin(archive.impl(), options.wait));
  std::unordered_set<std::uint32_t> versions;
  std::unordered_set<std::uint32_t> metadata;
  {
    BA_ASSIGN(const auto snapshot, open_snapshot(archive.impl()));
    if (object.kind == ObjectKind::metadata) {
      BA_ASSIGN(const std::uint32_t count, snapshot->view.metadata_count());
      for (std::uint32_t n = 0; n < count; ++n) {
        const auto id = snapshot->view.metadata_id(MetadataNumber{n});
        if (id && id->hash == object.hash) metadata.insert(n);
      }
    } else {
      BA_TRY(find_versions_with(snapshot->view, object, versions));
    }
  }
  return Erasure(upkeep, options)
      .run(
          object.text(), [&](UrlNumber, const Observation& o) { return versions.count(o.version.value) > 0; }, metadata,
          "");
}

Result<std::vector<Tombstone>> tombstones(const Snapshot& snapshot) {
  BA_ASSIGN(const auto settings, snapshot.settings(kTombstones));
  std::vector<Tombstone> all;
  for (const Setting& setting : settings) {
    BA_ASSIGN(Tombstone tombstone, decode_tombstone(setting.value));
    all.push_back(std::move(tombstone));
  }
  return all;
}

}  // namespace blockarch
