#include "engine/upkeep.h"

#include <algorithm>

#include "refs/history.h"
#include "refs/hot_file.h"
#include "refs/pack_table.h"
#include "refs/removed.h"

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
  if (!packs) BA_TRY(files.make_directory(archive.path(kPackDirectory)));
  // Also where it was there: whoever made it may have died before it was durable.
  BA_TRY(files.sync_directory(archive.directory));
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
    const bool ours =
        name == "making.tmp" || name == "current.tmp" || (name.size() == 64 + 5 && name.ends_with(kPackSuffix));
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

Result<void> Upkeep::quarantine_pack(const Hash256& name) const {
  FileSystem& files = *archive_->files;
  BA_TRY(files.make_directory(archive_->path(kQuarantineDirectory)));
  const std::string file = std::string(kQuarantineDirectory) + "/" + name.hex() + kPackSuffix;
  BA_TRY(files.rename(archive_->path(pack_file_name(name)), archive_->path(file)));
  BA_TRY(files.sync_directory(archive_->path(kQuarantineDirectory)));
  return files.sync_directory(archive_->path(kPackDirectory));
}

// What fsck --repair put there is not a pack by its name's end, and stays.
Result<void> Upkeep::empty_quarantine() const {
  FileSystem& files = *archive_->files;
  const std::string directory = archive_->path(kQuarantineDirectory);
  BA_ASSIGN(const auto there, files.info(directory));
  if (!there) return {};
  BA_ASSIGN(const auto names, files.list_directory(directory));
  bool empty = true;
  for (const std::string& name : names) {
    const bool ours = name.size() == 64 + 5 && name.ends_with(kPackSuffix);
    if (ours) BA_TRY(remove_if_there(files, directory + "/" + name));
    empty = empty && ours;
  }
  return empty ? remove_if_there(files, directory) : Result<void>();
}

Result<std::uint64_t> disk_bytes(const Archive::Impl& archive) {
  std::uint64_t sum = 0;
  for (const std::string& directory :
       {archive.directory, archive.path(kPackDirectory), archive.path(kQuarantineDirectory)}) {
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
    Lineage lineage;
    BA_ASSIGN(lineage.observations, all_observations(view.transaction(), view.tables, url->number));
    BA_TRY(each(lineage));
  }
  return each_removed(view.transaction(), view.tables,
                      [&](const Removed& removed) { return each(Lineage{removed.observations}); });
}

}  // namespace blockarch
