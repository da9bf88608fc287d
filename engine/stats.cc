#include <array>
#include <map>

#include "engine/archive_impl.h"
#include "engine/snapshot.h"
#include "engine/upkeep.h"
#include "refs/history.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kReportEvery = 4096;

class StatsWalk {
 public:
  StatsWalk(const Snapshot::Impl& impl, const std::function<void(std::uint64_t, std::uint64_t)>& progress)
      : impl_(impl), progress_(progress) {}

  Result<ArchiveStats> run() {
    BA_ASSIGN(const TableStats objects, impl_.transaction.stats(impl_.view.tables.objects));
    BA_ASSIGN(const TableStats history, impl_.transaction.stats(impl_.view.tables.history));
    total_ = objects.entries + history.entries;
    BA_TRY(walk_objects());
    BA_TRY(walk_versions());
    BA_TRY(walk_history());
    BA_TRY(measure_tables());
    measure_packs();
    BA_TRY(measure_files());
    return std::move(stats_);
  }

 private:
  void step() {
    ++done_;
    if (progress_ && done_ % kReportEvery == 0) progress_(done_, total_);
  }

  Result<void> walk_objects() {
    std::map<ObjectKind, KindStats> kinds;
    BA_ASSIGN(Cursor cursor, impl_.transaction.cursor(impl_.view.tables.objects));
    BA_ASSIGN(auto entry, cursor.first());
    while (entry) {
      BA_ASSIGN(const LooseStore::Stored stored, LooseStore::describe(entry->value));
      KindStats& kind = kinds[stored.kind];
      ++kind.objects;
      kind.bytes += stored.size;
      kind.stored_bytes += entry->value.size();
      step();
      BA_ASSIGN(entry, cursor.next());
    }
    stats_.kinds.assign(kinds.begin(), kinds.end());
    return {};
  }

  Result<void> walk_versions() {
    BA_ASSIGN(const std::uint32_t count, impl_.view.version_count());
    for (std::uint32_t n = 0; n < count; ++n) {
      // Numbers of versions that were collected stand for nothing.
      if (!impl_.view.version_id(VersionNumber{n})) {
        sizes_.push_back(0);
        continue;
      }
      ++stats_.versions;
      BA_ASSIGN(const VersionFacts facts, impl_.view.facts(VersionNumber{n}));
      sizes_.push_back(facts.payload_size);
      stats_.distinct_bytes += facts.payload_size;
    }
    return {};
  }

  Result<void> walk_history() {
    BA_ASSIGN(const TableStats urls, impl_.transaction.stats(impl_.view.tables.urls));
    stats_.urls = urls.entries;
    BA_ASSIGN(Cursor cursor, impl_.transaction.cursor(impl_.view.tables.history));
    BA_ASSIGN(auto entry, cursor.first());
    while (entry) {
      BA_ASSIGN(const auto observations, decode_chunk(entry->key, entry->value));
      for (const Observation& o : observations) {
        ++stats_.captures;
        if (o.version.value < sizes_.size()) stats_.logical_bytes += sizes_[o.version.value];
      }
      step();
      BA_ASSIGN(entry, cursor.next());
    }
    return {};
  }

  Result<void> measure_tables() {
    BA_ASSIGN(const Lmdb::Usage usage, impl_.hot->lmdb.usage());
    for (const std::string& name : table_names()) {
      BA_ASSIGN(const TableStats table, impl_.transaction.stats(impl_.hot->lmdb.table(name)));
      stats_.tables.push_back({name, table.entries, table.pages * usage.page_size});
    }
    if (impl_.view.tables.settings.handle != 0) {
      BA_ASSIGN(const TableStats table, impl_.transaction.stats(impl_.view.tables.settings));
      stats_.tables.push_back({"settings", table.entries, table.pages * usage.page_size});
    }
    stats_.free_bytes = usage.free_pages * usage.page_size;
    return {};
  }

  void measure_packs() {
    const std::array<const char*, 8> names = {"",
                                              "blocks and layouts",
                                              "lists, trees, versions",
                                              "metadata",
                                              "version ids",
                                              "ids in other packs",
                                              "index of contents",
                                              "index of recipes"};
    std::array<ArchiveStats::PackUse, 8> uses;
    ArchiveStats::PackUse rest{"directories", 0, 0, 0};
    for (const auto& pack : impl_.view.objects.packs()) {
      ++stats_.packs;
      ++rest.entries;
      std::uint64_t frames = 0;
      for (const FrameEntry& frame : pack->directory().frames) {
        ArchiveStats::PackUse& use = uses[static_cast<std::size_t>(frame.type)];
        use.name = names[static_cast<std::size_t>(frame.type)];
        use.entries += std::uint64_t{frame.count} + frame.lists;
        use.bytes += frame.raw_size;
        use.stored_bytes += frame.stored_size;
        frames += frame.stored_size;
      }
      rest.stored_bytes += pack->file_size() - frames;
      rest.bytes += pack->file_size() - frames;
    }
    for (const ArchiveStats::PackUse& use : uses) {
      if (use.stored_bytes > 0) stats_.packed.push_back(use);
    }
    if (rest.entries > 0) stats_.packed.push_back(rest);
  }

  Result<void> measure_files() {
    BA_ASSIGN(stats_.disk_bytes, disk_bytes(impl_.archive));
    return {};
  }

  const Snapshot::Impl& impl_;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress_;
  ArchiveStats stats_;
  std::vector<std::uint64_t> sizes_;  // of each version's payload, by number
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

Result<ArchiveStats> Snapshot::stats(const std::function<void(std::uint64_t, std::uint64_t)>& progress) const {
  return StatsWalk(*impl_, progress).run();
}

}  // namespace blockarch
