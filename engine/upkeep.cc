#include "engine/upkeep.h"

#include <algorithm>

#include "refs/history.h"
#include "refs/hot_file.h"
#include "refs/pack_table.h"

namespace blockarch {
namespace {

// Fine where it is gone already.
Result<void> remove_if_there(FileSystem& files, const std::string& path) {
  const auto removed = files.remove(path);
  if (removed || removed.error().code == ErrorCode::not_found) return {};
  return removed;
}

}  // namespace

Result<Upkeep> Upkeep::begin(Archive::Impl& archive, std::chrono::milliseconds wait) {
  BA_ASSIGN(FileLock lock, FileLock::acquire(archive.path(kUpkeepLockFile), wait));
  FileSystem& files = *archive.files;
  BA_ASSIGN(const auto packs, files.info(archive.path(kPackDirectory)));
  if (!packs) {
    BA_TRY(files.make_directory(archive.path(kPackDirectory)));
    BA_TRY(files.sync_directory(archive.directory));
  }
  Upkeep upkeep(archive, std::move(lock));
  BA_TRY(upkeep.sweep());
  return upkeep;
}

Result<void> Upkeep::publish_pack(const Hash256& name) const {
  BA_TRY(archive_->files->rename(temporary_pack(), archive_->path(pack_file_name(name))));
  return archive_->files->sync_directory(archive_->path(kPackDirectory));
}

Result<void> Upkeep::sweep() const {
  FileSystem& files = *archive_->files;
  BA_ASSIGN(const auto hot, archive_->hot());
  std::vector<std::string> listed;
  {
    BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
    BA_ASSIGN(const auto names, all_packs(transaction, hot->tables()));
    for (const Hash256& name : names) listed.push_back(name.hex() + kPackSuffix);
  }
  BA_ASSIGN(const auto packs, files.list_directory(archive_->path(kPackDirectory)));
  for (const std::string& name : packs) {
    const bool ours = name == "making.tmp" || (name.size() == 64 + 5 && name.ends_with(kPackSuffix));
    if (!ours || std::find(listed.begin(), listed.end(), name) != listed.end()) continue;
    BA_TRY(remove_if_there(files, archive_->path(std::string(kPackDirectory) + "/" + name)));
  }
  BA_ASSIGN(const auto names, files.list_directory(archive_->directory));
  for (const std::string& name : names) {
    const bool lock = name.ends_with("-lock");
    const std::uint32_t generation = generation_of(lock ? name.substr(0, name.size() - 5) : name);
    if (generation != 0 && generation != hot->generation) BA_TRY(remove_if_there(files, archive_->path(name)));
  }
  return {};
}

Result<std::uint64_t> disk_bytes(const Archive::Impl& archive) {
  std::uint64_t sum = 0;
  for (const std::string& directory : {archive.directory, archive.path(kPackDirectory)}) {
    BA_ASSIGN(const auto there, archive.files->info(directory));
    if (!there) continue;
    BA_ASSIGN(const auto names, archive.files->list_directory(directory));
    for (const std::string& name : names) {
      BA_ASSIGN(const auto info, archive.files->info(directory + "/" + name));
      if (info && !info->is_directory) sum += info->size;
    }
  }
  return sum;
}

Result<void> each_lineage(const View& view, const std::function<Result<void>(const Lineage&)>& each) {
  BA_ASSIGN(UrlCursor urls, UrlCursor::open(view.transaction(), view.tables, ""));
  while (true) {
    BA_ASSIGN(const auto url, urls.next());
    if (!url) break;
    BA_ASSIGN(HistoryCursor history, HistoryCursor::open(view.transaction(), view.tables, url->number));
    Lineage lineage;
    BA_ASSIGN(auto observation, history.first());
    while (observation) {
      lineage.observations.push_back(*observation);
      BA_ASSIGN(observation, history.next());
    }
    BA_TRY(each(lineage));
  }
  return {};
}

}  // namespace blockarch
