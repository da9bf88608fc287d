// 1. The pack is written from a snapshot, while others read and write. Nothing refers to it yet.
// 2. It is synced and gets its name.
// 3. With the writer's lock held for a moment, one transaction makes it count and takes the objects that it holds out of
//    the loose ones. Packing everything instead writes all tables anew beside the old ones, and `current` makes them count.
// 4. What was replaced is removed. Readers that still use it have it open.
#include "engine/pack_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

#include "base/memory.h"
#include "engine/hot_rewrite.h"
#include "engine/id_map.h"
#include "engine/pack_builder.h"
#include "engine/upkeep.h"
#include "refs/hot_file.h"
#include "refs/pack_table.h"
#include "refs/payload_index.h"

namespace blockarch {
namespace {

constexpr int kZstdLevel = 12;
constexpr int kDeflateLevel = 9;

PackCodec codec_of(const PackOptions& options) {
  if (options.compression == PackCompression::deflate) {
    return {FrameCodec::deflate, options.level == 0 ? kDeflateLevel : options.level};
  }
  return {FrameCodec::zstd, options.level == 0 ? kZstdLevel : options.level};
}

unsigned threads_of(const PackOptions& options) {
  constexpr unsigned kMost = 4;
  return options.threads != 0 ? options.threads : std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
}

// A number that the archive does not have is asked for, and missed, by whoever reads it.
bool first_time(std::vector<bool>& seen, std::uint32_t number) {
  if (number >= seen.size()) return true;
  if (seen[number]) return false;
  seen[number] = true;
  return true;
}

// Packing goes through the packs in their order and comes back to little.
class SmallCache {
 public:
  explicit SmallCache(FrameCache& frames) : frames_(frames), before_(frames.set_capacity(kBytes)) {}
  SmallCache(const SmallCache&) = delete;
  SmallCache& operator=(const SmallCache&) = delete;
  ~SmallCache() { frames_.set_capacity(before_); }

 private:
  static constexpr std::size_t kBytes = std::size_t{64} << 20;
  FrameCache& frames_;
  std::size_t before_;
};

class Packing {
 public:
  Packing(Upkeep& upkeep, const PackOptions& options) : upkeep_(upkeep), options_(options) {}

  Result<PackReport> run() {
    BA_ASSIGN(report_.bytes_before, disk_bytes(upkeep_.archive()));
    const SmallCache small(*upkeep_.archive().frames);
    return_free_memory();
    {
      BA_ASSIGN(const auto snapshot, open_snapshot(upkeep_.archive()));
      hot_ = snapshot->hot;
      BA_TRY(build(snapshot->view));
      hot_ = nullptr;
    }
    if (name_) BA_TRY(options_.all ? replace_everything() : put_beside());
    // What packing took stays with the process otherwise, and an import packs again and again.
    builder_ = nullptr;
    names_ = {};
    upkeep_.archive().frames->clear();
    return_free_memory();
    BA_TRY(upkeep_.sweep());
    BA_ASSIGN(report_.bytes_after, disk_bytes(upkeep_.archive()));
    BA_ASSIGN(const auto after, open_snapshot(upkeep_.archive()));
    report_.packs = after->view.objects.packs().size();
    return report_;
  }

 private:
  Result<void> count(const View& view) {
    BA_ASSIGN(const std::uint32_t versions, view.version_count());
    BA_ASSIGN(const std::uint32_t metadata, view.metadata_count());
    numbers_.versions.assign(versions, kNoNumber);
    numbers_.metadata.assign(metadata, kNoNumber);
    seen_versions_.assign(versions, false);
    seen_metadata_.assign(metadata, false);
    total_ = versions;
    if (!options_.all) {
      for (const auto& pack : view.objects.packs()) total_ -= pack->directory().versions;
    }
    return {};
  }

  bool wants_version(const View& view, std::uint32_t number) const {
    return options_.all || !view.objects.packed_version(number);
  }
  bool wants_metadata(const View& view, std::uint32_t number) const {
    return options_.all || !view.objects.packed_metadata(number);
  }

  Result<void> build(const View& view) {
    BA_TRY(count(view));
    BA_ASSIGN(PackWriter writer,
              PackWriter::create(*upkeep_.archive().files, upkeep_.temporary_pack(), codec_of(options_)));
    PackBuilderOptions options;
    options.codec = codec_of(options_);
    options.threads = threads_of(options_);
    if (options_.all) {
      options.version_number = [this](std::uint32_t ordinal, std::uint32_t now) {
        return numbers_.versions[now] = ordinal;
      };
      options.metadata_number = [this](std::uint32_t ordinal, std::uint32_t now) {
        return numbers_.metadata[now] = ordinal;
      };
    } else {
      options.takes = [&view](const Hash256& id) { return view.objects.loose().contains(id); };
    }
    builder_ = std::make_unique<PackBuilder>(view.objects, writer, options);
    BA_TRY(each_lineage(view, [&](const Lineage& lineage) { return add_lineage(view, lineage); }));
    BA_TRY(builder_->finish());
    report_.versions = builder_->versions();
    report_.metadata = builder_->metadata();
    if (report_.versions == 0 && report_.metadata == 0) return {};  // the sweep removes the empty file
    BA_ASSIGN(name_, writer.finish());
    report_.pack_bytes = writer.written() + sizeof(Hash256::bytes);
    return upkeep_.publish_pack(*name_);
  }

  Result<void> add_lineage(const View& view, const Lineage& lineage) {
    bool begun = false;
    for (const Observation& o : lineage.observations) {
      if (options_.stop && *options_.stop) return Error{ErrorCode::interrupted, "stopped: nothing was changed"};
      if (first_time(seen_versions_, o.version.value) && wants_version(view, o.version.value)) {
        if (!begun) BA_TRY(builder_->begin_url());
        begun = true;
        BA_ASSIGN(const VersionId id, view.version_id(o.version));
        names_.add(id.hash, 0);
        BA_TRY(builder_->add_version(o.version.value, id.hash));
        ++done_;
        if (options_.progress && done_ % 64 == 0) options_.progress(done_, total_);
        if (done_ % 1024 == 0) hot_->lmdb.release_memory();
      }
      if (o.metadata && first_time(seen_metadata_, o.metadata->value) && wants_metadata(view, o.metadata->value)) {
        BA_ASSIGN(Bytes content, view.metadata_content(*o.metadata));
        names_.add(hash_object(ObjectKind::metadata, content), 0);
        BA_TRY(builder_->add_metadata(o.metadata->value, std::move(content)));
      }
    }
    return {};
  }

  bool holds(const Hash256& id) const { return builder_->has(id) || names_.find(id); }

  Result<std::shared_ptr<const Pack>> open_pack() const {
    const Archive::Impl& archive = upkeep_.archive();
    return Pack::open(*archive.files, archive.path(pack_file_name(*name_)), archive.frames);
  }

  // The new pack joins the others.
  Result<void> put_beside() {
    Archive::Impl& archive = upkeep_.archive();
    BA_ASSIGN(const FileLock lock, FileLock::acquire(archive.path(kLockFile), options_.wait));
    BA_ASSIGN(const auto hot, archive.hot());
    BA_TRY(hot->make_later_tables());
    BA_ASSIGN(const auto pack, open_pack());
    const Tables tables = hot->tables();
    const auto written = hot->lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
      BA_TRY(add_pack(transaction, tables, *name_));
      BA_TRY(erase_loose(transaction, tables));
      BA_TRY(erase_numbers(transaction, tables.version_numbers, pack->directory().version_numbers));
      BA_TRY(erase_numbers(transaction, tables.metadata_numbers, pack->directory().metadata_numbers));
      return erase_payloads(transaction, tables, *pack);
    });
    BA_TRY(written);
    // The pack counts already. Where there is no room for the copy, the file stays as large as it is.
    const auto shrunk = shrink_tables(archive, *hot);
    return shrunk || shrunk.error().code == ErrorCode::no_space ? Result<void>() : shrunk.error();
  }

  // LMDB's file keeps the place of what has been packed. Where that is most of it, what is left moves to a new file, which
  // costs less than a third of what was written to fill the old one.
  static Result<void> shrink_tables(Archive::Impl& archive, const Hot& hot) {
    constexpr std::uint64_t kWorthIt = 64 << 10;
    BA_ASSIGN(const Lmdb::Usage usage, hot.lmdb.usage());
    if (usage.used_pages * usage.page_size < kWorthIt || usage.free_pages < usage.used_pages / 4 * 3) return {};
    return copy_hot(archive);
  }

  // Mostly the pack has all of them, and the table is emptied as a whole; what came in meanwhile is put back.
  Result<void> erase_loose(WriteTransaction& transaction, const Tables& tables) const {
    constexpr std::size_t kMost = std::size_t{16} << 20;
    std::vector<std::pair<Bytes, Bytes>> rest;
    std::size_t rest_bytes = 0;
    {
      BA_ASSIGN(Cursor cursor, transaction.cursor(tables.objects));
      BA_ASSIGN(auto entry, cursor.first());
      for (; entry && rest_bytes <= kMost;) {
        if (!holds(Hash256::from_bytes(entry->key))) {
          rest.emplace_back(entry->key, entry->value);
          rest_bytes += entry->key.size() + entry->value.size();
        }
        BA_ASSIGN(entry, cursor.next());
      }
    }
    if (rest_bytes > kMost) return erase_each(transaction, tables);
    BA_TRY(transaction.clear(tables.objects));
    for (const auto& [key, value] : rest) BA_TRY(transaction.append(tables.objects, key, value));
    return {};
  }

  Result<void> erase_each(WriteTransaction& transaction, const Tables& tables) const {
    BA_ASSIGN(Cursor cursor, transaction.cursor(tables.objects));
    BA_ASSIGN(auto entry, cursor.first());
    while (entry) {
      const Bytes key(entry->key);
      if (holds(Hash256::from_bytes(key))) BA_TRY(transaction.erase(tables.objects, key));
      BA_ASSIGN(entry, cursor.next());
    }
    return {};
  }

  // The pack knows them from now on. Values hold several ids: one goes when the pack has them all.
  static Result<void> erase_numbers(WriteTransaction& transaction, Table table, const std::vector<NumberRun>& runs) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> packed;
    for (const NumberRun& run : runs) {
      for (std::uint32_t n = run.number; n < run.number + run.length; ++n) {
        packed[n / number_table::kIdsPerValue].push_back(n);
      }
    }
    for (const auto& [chunk, numbers] : packed) {
      if (numbers.size() == number_table::kIdsPerValue) {
        BA_TRY(number_table::erase_value(transaction, table, chunk));
        continue;
      }
      for (const std::uint32_t number : numbers) BA_TRY(number_table::forget(transaction, table, number));
    }
    return {};
  }

  static Result<void> erase_payloads(WriteTransaction& transaction, const Tables& tables, const Pack& pack) {
    for (std::uint32_t i = 0; i < pack.directory().versions; ++i) {
      BA_ASSIGN(const std::uint64_t head, pack.payload_head(i));
      BA_TRY(erase_payload(transaction, tables.payloads, head, VersionNumber{pack.version_number(i)}));
    }
    return {};
  }

  // One pack and new tables take the place of all that there is.
  Result<void> replace_everything() {
    Archive::Impl& archive = upkeep_.archive();
    BA_ASSIGN(const FileLock lock, FileLock::acquire(archive.path(kLockFile), options_.wait));
    BA_ASSIGN(const auto old, archive.hot());
    BA_ASSIGN(const auto pack, open_pack());
    const std::uint32_t generation = old->generation + 1;
    {
      BA_ASSIGN(const ReadTransaction transaction, old->lmdb.read());
      BA_ASSIGN(PackList packs, archive.packs(transaction, old->tables()));
      const View view(transaction, old->tables(), std::move(packs));
      BA_ASSIGN(const auto made, create_hot(archive.path(hot_file_name(generation)), generation));
      HotRewrite rewrite{view, old->lmdb, *pack, [this](const Hash256& id) -> Result<bool> { return holds(id); },
                         numbers_};
      BA_TRY(rewrite_hot(rewrite, *made));
    }
    BA_TRY(archive.files->sync_directory(archive.directory));
    return write_current(*archive.files, archive.directory, archive.path("packs/current.tmp"), generation);
  }

  Upkeep& upkeep_;
  const PackOptions& options_;
  PackReport report_;
  std::unique_ptr<PackBuilder> builder_;
  std::optional<Hash256> name_;
  Renumbering numbers_;
  std::vector<bool> seen_versions_;  // by number
  std::vector<bool> seen_metadata_;
  IdMap names_;  // of versions and metadata in the pack; the values say nothing
  std::shared_ptr<Hot> hot_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

Result<PackNeed> pack_need(Archive& archive) {
  constexpr std::uint64_t kVersions = 1000;
  constexpr std::uint64_t kPages = (std::uint64_t{32} << 20) / 4096;
  BA_ASSIGN(const auto snapshot, open_snapshot(archive.impl()));
  BA_ASSIGN(const TableStats objects, snapshot->transaction.stats(snapshot->view.tables.objects));
  BA_ASSIGN(const TableStats numbers, snapshot->transaction.stats(snapshot->view.tables.version_numbers));
  const std::uint64_t loose = numbers.entries * number_table::kIdsPerValue;
  std::uint64_t packed = 0;
  for (const auto& pack : snapshot->view.objects.packs()) packed += pack->directory().versions;
  return PackNeed{loose >= kVersions || objects.pages >= kPages, loose >= packed, objects.pages * 4096};
}

Result<PackReport> pack_archive(Archive& archive, const PackOptions& options) {
  BA_ASSIGN(Upkeep upkeep, Upkeep::begin(archive.impl(), options.wait));
  return Packing(upkeep, options).run();
}

}  // namespace blockarch
