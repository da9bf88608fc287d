// 1. Everything that can be read of a damaged pack is written as loose objects, in transactions of some megabytes.
// 2. The pack gets a second name in quarantine/.
// 3. One transaction gives its versions their loose numbers and takes the pack out of the table.
// 4. Its first name goes. A crash before leaves it where the next repair finds it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/coding.h"
#include "fsck/inspection.h"
#include "fsck/repairing.h"
#include "refs/pack_table.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

constexpr std::size_t kFrameCacheBytes = std::size_t{256} << 20;

// A pack as its file should be.
Result<void> check_whole(const Pack& pack, const Hash256& name) {
  if (pack.name() != name) return Error{ErrorCode::corrupt, pack.path() + " has another name in it"};
  return pack.check_trailer();
}

class Salvage {
 public:
  Salvage(Repairing& repair, OpenTables& open, const Pack& pack)
      : repair_(repair), open_(open), pack_(pack), directory_(pack.directory()) {}

  Result<void> run(const ObjectStore& store) {
    for (std::uint32_t frame = 0; frame < directory_.frames.size(); ++frame) BA_TRY(save_frame(frame));
    for (std::uint32_t i = 0; i < directory_.lists; ++i) {
      const auto list = store.list(pack_, {i, false});
      if (list) BA_TRY(save(ObjectKind::list, encode_block_list(*list)));
    }
    for (std::uint32_t i = 0; i < directory_.versions; ++i) BA_TRY(save_version(store, i));
    return flush();
  }

  // The last step: from now on the archive does without the pack.
  Result<void> finish(const Hash256& name) {
    const auto written = open_.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      for (const auto& [number, id] : versions_) {
        BA_TRY(put_number(transaction, open_.tables.version_numbers, number, id));
      }
      for (const auto& [number, id] : lost_) {
        BA_TRY(put_number(transaction, open_.tables.version_numbers, number, id));
      }
      for (const auto& [number, id] : metadata_) {
        BA_TRY(put_number(transaction, open_.tables.metadata_numbers, number, id));
      }
      return erase_pack(transaction, open_.tables, name);
    });
    BA_TRY(written);
    repair_.actions.push_back(fmt::format("of {}: {} of {} versions and {} of {} metadata saved as loose objects",
                                          pack_.path(), versions_.size(), directory_.versions, metadata_.size(),
                                          directory_.metadata));
    return {};
  }

 private:
  Result<void> save_frame(std::uint32_t number) {
    const FrameEntry& entry = directory_.frames[number];
    if (entry.type != FrameType::content && entry.type != FrameType::metadata) return {};
    const auto frame = pack_.content_frame(number);
    if (!frame) return {};  // lost
    for (std::uint32_t i = 0; i < (*frame)->count(); ++i) {
      BA_TRY(save((*frame)->kind(i), Bytes((*frame)->content(i))));
      if (entry.type == FrameType::metadata) {
        metadata_.emplace_back(pack_.metadata_number(entry.first + i), (*frame)->id(i));
      }
    }
    return {};
  }

  Result<void> save_version(const ObjectStore& store, std::uint32_t ordinal) {
    const auto version = store.version({&pack_, ordinal});
    const auto tree = version ? store.tree({&pack_, ordinal}) : Result<BlockTree>(version.error());
    if (!tree) {
      // Its name stays, so that whoever shows the history can say what is lost.
      const auto id = pack_.version_id(ordinal);
      if (id) lost_.emplace_back(pack_.version_number(ordinal), *id);
      return {};
    }
    BA_TRY(save(ObjectKind::tree, encode_block_tree(*tree)));
    BA_TRY(save(ObjectKind::version, encode_version(*version)));
    versions_.emplace_back(pack_.version_number(ordinal), id_of(*version).hash);
    return {};
  }

  Result<void> save(ObjectKind kind, const Bytes& content) {
    constexpr std::size_t kBatch = 16 << 20;
    const ObjectId id(kind, hash_object(kind, content));
    batch_.push_back(make_loose_object(id, content));
    batch_bytes_ += batch_.back().value.size();
    return batch_bytes_ < kBatch ? Result<void>() : flush();
  }

  Result<void> flush() {
    const auto written = open_.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      for (const LooseObject& object : batch_) {
        BA_TRY(transaction.put_new(open_.tables.objects, object.id.hash.view(), object.value));
      }
      return {};
    });
    BA_TRY(written);
    batch_.clear();
    batch_bytes_ = 0;
    return {};
  }

  Repairing& repair_;
  OpenTables& open_;
  const Pack& pack_;
  const PackDirectory& directory_;
  std::vector<LooseObject> batch_;
  std::size_t batch_bytes_ = 0;
  std::vector<std::pair<std::uint32_t, Hash256>> versions_;
  std::vector<std::pair<std::uint32_t, Hash256>> lost_;
  std::vector<std::pair<std::uint32_t, Hash256>> metadata_;
};

class PackRepair {
 public:
  PackRepair(Repairing& repair, OpenTables& open, const FsckReport& before)
      : repair_(repair), open_(open), before_(before) {}

  Result<void> run() {
    BA_TRY(drop_damaged_entries());
    BA_TRY(read_listed());
    BA_TRY(add_needed());
    return empty_packs([](const Hash256& name, const Pack& pack) { return !check_whole(pack, name); });
  }

  // Packs with versions that cannot be put together, though the pack itself is as it was written.
  Result<void> empty_incomplete() {
    BA_TRY(read_listed());
    return empty_packs([this](const Hash256&, const Pack& pack) { return holds_broken(pack); });
  }

 private:
  Result<std::shared_ptr<const Pack>> open_pack(const Hash256& name) const {
    return Pack::open(posix_files(), repair_.directory + "/" + pack_file_name(name), cache_);
  }

  Result<void> drop_damaged_entries() {
    std::vector<Bytes> keys;
    {
      BA_ASSIGN(const ReadTransaction transaction, open_.lmdb.read());
      BA_ASSIGN(Cursor cursor, transaction.cursor(open_.tables.packs));
      BA_ASSIGN(auto at, cursor.first());
      while (at) {
        const auto body = unseal(at->key, at->value, "packs");
        if (!body || body->size() != sizeof(Hash256::bytes) || at->key.size() != sizeof(std::uint32_t)) {
          keys.emplace_back(at->key);
          BA_TRY(quarantine_bytes(repair_, "pack-entry-" + to_hex(at->key), at->value));
        }
        BA_ASSIGN(at, cursor.next());
      }
    }
    if (keys.empty()) return {};
    repair_.actions.push_back(fmt::format("{} damaged entries of table packs taken out", keys.size()));
    return open_.lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      for (const Bytes& key : keys) BA_TRY(transaction.erase(open_.tables.packs, key));
      return {};
    });
  }

  Result<void> read_listed() {
    FindingLog unused;
    BA_ASSIGN(const ReadTransaction transaction, open_.lmdb.read());
    BA_ASSIGN(listed_, listed_packs(transaction, open_.tables, unused));
    return {};
  }

  // Packs that no entry names, and that hold versions which cannot be had otherwise.
  Result<void> add_needed() {
    const std::string packs = repair_.directory + "/" + kPackDirectory;
    BA_ASSIGN(const auto info, posix_files().info(packs));
    if (!info) return {};
    BA_ASSIGN(const auto files, posix_files().list_directory(packs));
    for (const std::string& file : files) {
      const auto name =
          file.size() == 64 + 5 && file.ends_with(kPackSuffix) ? Hash256::from_hex(file.substr(0, 64)) : std::nullopt;
      if (!name || std::find(listed_.begin(), listed_.end(), *name) != listed_.end()) continue;
      const auto pack = open_pack(*name);
      if (!pack || !check_whole(**pack, *name) || !is_needed(**pack)) continue;
      BA_TRY(
          open_.lmdb.write([&](WriteTransaction& transaction) { return add_pack(transaction, open_.tables, *name); }));
      listed_.push_back(*name);
      repair_.actions.push_back(fmt::format("{}/{} is named by the tables again", packs, file));
    }
    return {};
  }

  // What can be read of them becomes loose; then they go.
  Result<void> empty_packs(const std::function<bool(const Hash256& name, const Pack& pack)>& is_bad) {
    std::vector<std::pair<Hash256, std::shared_ptr<const Pack>>> bad;
    PackList readable;
    for (const Hash256& name : listed_) {
      const auto pack = open_pack(name);
      if (!pack && (pack.error().code == ErrorCode::permission || pack.error().code == ErrorCode::unsupported)) {
        return pack.error();
      }
      if (pack) readable.push_back(*pack);
      if (!pack || is_bad(name, **pack)) bad.emplace_back(name, pack ? *pack : nullptr);
    }
    std::vector<std::unique_ptr<Salvage>> salvages;
    for (const auto& [name, pack] : bad) {
      if (!pack) continue;
      BA_ASSIGN(const ReadTransaction transaction, open_.lmdb.read());
      const ObjectStore store(transaction, open_.tables.objects, readable);
      salvages.push_back(std::make_unique<Salvage>(repair_, open_, *pack));
      BA_TRY(salvages.back()->run(store));
    }
    std::size_t next = 0;
    for (const auto& [name, pack] : bad) BA_TRY(pack ? take_out(name, *salvages[next++]) : take_out(name));
    return {};
  }

  bool holds_broken(const Pack& pack) const {
    const auto has = [](const std::vector<std::uint32_t>& all, const auto& ordinal) {
      return std::any_of(all.begin(), all.end(), [&](std::uint32_t number) { return ordinal(number).has_value(); });
    };
    return has(before_.broken_versions, [&](std::uint32_t number) { return pack.version_ordinal(number); }) ||
           has(before_.broken_metadata, [&](std::uint32_t number) { return pack.metadata_ordinal(number); });
  }

  bool is_needed(const Pack& pack) const {
    // One that was replaced has numbers in common with those that took its place.
    return holds_broken(pack) && std::none_of(listed_.begin(), listed_.end(), [&](const Hash256& name) {
             const auto other = open_pack(name);
             return other && overlaps(**other, pack);
           });
  }

  static bool overlaps(const Pack& a, const Pack& b) {
    for (const NumberRun& run : a.directory().version_numbers) {
      for (std::uint32_t i = 0; i < run.length; ++i) {
        if (b.version_ordinal(run.number + i)) return true;
      }
    }
    return false;
  }

  Result<void> take_out(const Hash256& name, Salvage& salvage) {
    BA_TRY(quarantine_file(repair_, pack_file_name(name)));
    BA_TRY(salvage.finish(name));
    return remove_pack(name);
  }

  // Nothing can be read of it.
  Result<void> take_out(const Hash256& name) {
    const std::string path = repair_.directory + "/" + pack_file_name(name);
    BA_ASSIGN(const auto there, posix_files().info(path));
    if (there) BA_TRY(quarantine_file(repair_, pack_file_name(name)));
    BA_TRY(
        open_.lmdb.write([&](WriteTransaction& transaction) { return erase_pack(transaction, open_.tables, name); }));
    if (there) return remove_pack(name);
    repair_.actions.push_back(path + " is missing, and no table names it any more");
    repair_.report.advice.push_back(
        fmt::format("if there is a copy of {}, put it there and run this again before anything else", path));
    return {};
  }

  Result<void> remove_pack(const Hash256& name) {
    const std::string path = repair_.directory + "/" + pack_file_name(name);
    repair_.actions.push_back(fmt::format("{} moved into {}/", path, kQuarantineDirectory));
    return posix_files().remove(path);
  }

  Repairing& repair_;
  OpenTables& open_;
  const FsckReport& before_;
  const std::shared_ptr<FrameCache> cache_ = std::make_shared<FrameCache>(kFrameCacheBytes);
  std::vector<Hash256> listed_;
};

}  // namespace

Result<void> repair_packs(Repairing& repair, OpenTables& open, const FsckReport& before) {
  if (open.tables.packs.handle == 0) return {};
  return PackRepair(repair, open, before).run();
}

Result<void> empty_incomplete_packs(Repairing& repair, OpenTables& open, const FsckReport& found) {
  if (open.tables.packs.handle == 0) return {};
  return PackRepair(repair, open, found).empty_incomplete();
}

}  // namespace blockarch
