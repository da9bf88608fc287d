#include "engine/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/archive_impl.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "engine/writer_impl.h"
#include "refs/archive_format.h"
#include "refs/hot_file.h"
#include "refs/pack_table.h"

namespace blockarch {
namespace {

// What a create() that was cut short may leave behind.
bool is_leftover(const std::string& name) {
  static constexpr std::array<std::string_view, 4> kNames = {"hot.mdb", "hot.mdb-lock", kLockFile, kTemporaryDirectory};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Result<void> clear_leftovers(FileSystem& files, const std::string& directory) {
  BA_ASSIGN(const auto names, files.list_directory(directory));
  for (const std::string& name : names) {
    if (name == kFormatFile) return Error{ErrorCode::invalid, fmt::format("{} is an archive already", directory)};
    if (!is_leftover(name)) {
      return Error{ErrorCode::invalid,
                   fmt::format("{} is not empty (it holds {}): name an empty or new directory", directory, name)};
    }
  }
  for (const std::string& name : names) {
    if (name != kTemporaryDirectory) BA_TRY(files.remove(directory + "/" + name));
  }
  return {};
}

Result<void> clear_temporary(FileSystem& files, const std::string& directory) {
  BA_ASSIGN(const auto info, files.info(directory));
  if (!info) return files.make_directory(directory);
  BA_ASSIGN(const auto names, files.list_directory(directory));
  for (const std::string& name : names) BA_TRY(files.remove(directory + "/" + name));
  return {};
}

std::string without_final_slashes(std::string directory) {
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  return directory.empty() ? "." : directory;
}

std::string parent_of(const std::string& directory) {
  const std::size_t slash = directory.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : directory.substr(0, slash);
}

Result<void> require_archive(FileSystem& files, const std::string& directory) {
  BA_ASSIGN(const auto info, files.info(directory));
  if (!info) {
    return Error{ErrorCode::no_archive,
                 fmt::format("{} does not exist: make an archive with blockarch init", directory)};
  }
  if (!info->is_directory) {
    return Error{ErrorCode::no_archive, fmt::format("{} is not a directory, so it cannot be an archive", directory)};
  }
  BA_ASSIGN(const auto format, files.info(directory + "/" + kFormatFile));
  if (!format) {
    return Error{ErrorCode::no_archive,
                 fmt::format("{} is not an archive: make one with blockarch init, or name one with -C", directory)};
  }
  return {};
}

}  // namespace

Result<void> Archive::create(const std::string& directory, const OpenOptions& options) {
  FileSystem& files = options.files ? *options.files : posix_files();
  const std::string root = without_final_slashes(directory);
  BA_ASSIGN(const auto info, files.info(root));
  if (info && !info->is_directory) {
    return Error{ErrorCode::invalid, fmt::format("{} is not a directory: name an empty or new one", root)};
  }
  if (info) {
    BA_TRY(clear_leftovers(files, root));
  } else {
    BA_TRY(files.make_directory(root));
    BA_TRY(files.sync_directory(parent_of(root)));
  }
  BA_TRY(clear_temporary(files, root + "/" + kTemporaryDirectory));
  BA_TRY(create_hot(root + "/" + kHotFile, 1));
  BA_TRY(files.sync_directory(root));
  // The format file comes last: a directory without it is no archive yet.
  return replace_file(files, root + "/" + kFormatFile, root + "/" + kTemporaryDirectory + "/format",
                      encode_archive_format());
}

Result<Archive> Archive::open(const std::string& directory, const OpenOptions& options) {
  FileSystem& files = options.files ? *options.files : posix_files();
  const std::string root = without_final_slashes(directory);
  BA_TRY(require_archive(files, root));
  BA_ASSIGN(const Bytes text, files.read_file(root + "/" + kFormatFile, kMaxFormatFile));
  if (auto format = decode_archive_format(text); !format) {
    return Error{format.error().code, fmt::format("{}/{}: {}", root, kFormatFile, format.error().message)};
  }
  auto impl = std::make_unique<Impl>(root, &files);
  BA_TRY(impl->hot());
  return Archive(std::move(impl));
}

// A file that is gone has been replaced, and then `current` says by which one; else it is missing.
Result<std::shared_ptr<Hot>> Archive::Impl::hot() const {
  constexpr int kTries = 100;
  const std::lock_guard lock(mutex_);
  std::uint32_t missing = 0;
  for (int i = 0; i < kTries; ++i) {
    BA_ASSIGN(const std::uint32_t generation, current_.generation(*files, directory));
    if (hot_ && hot_->generation == generation) return hot_;
    const std::string file = path(hot_file_name(generation));
    if (missing == generation) {
      return Error{ErrorCode::corrupt, fmt::format("{} is missing: restore it from a copy", file)};
    }
    BA_ASSIGN(const auto info, files->info(file));
    if (!info) {
      missing = generation;
      continue;
    }
    auto opened = open_hot(file, generation);
    if (opened) {
      hot_ = std::move(*opened);
      return hot_;
    }
    // Whatever is wrong with a file that no longer counts does not matter.
    BA_ASSIGN(const std::uint32_t now, current_.generation(*files, directory));
    if (now == generation && opened.error().code != ErrorCode::not_found) return opened.error();
  }
  return Error{ErrorCode::io, fmt::format("the tables of {} are replaced again and again", directory)};
}

Result<PackList> Archive::Impl::packs(const ReadTransaction& transaction, const Tables& tables) const {
  BA_ASSIGN(const auto names, all_packs(transaction, tables));
  const std::lock_guard lock(mutex_);
  PackList list;
  std::map<Hash256, std::shared_ptr<const Pack>> used;
  for (const Hash256& name : names) {
    const auto known = packs_.find(name);
    std::shared_ptr<const Pack> pack = known == packs_.end() ? nullptr : known->second;
    if (!pack) {
      BA_ASSIGN(pack, Pack::open(*files, path(pack_file_name(name)), frames));
      if (pack->name() != name) {
        return Error{ErrorCode::corrupt,
                     fmt::format("{} is another pack than its name says: run blockarch fsck", pack->path())};
      }
    }
    used[name] = pack;
    list.push_back(std::move(pack));
  }
  packs_ = std::move(used);
  return list;
}

Archive::Archive(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

const std::string& Archive::directory() const {
  return impl_->directory;
}

Result<Snapshot> Archive::snapshot() const {
  BA_ASSIGN(auto opened, open_snapshot(*impl_));
  return Snapshot(std::move(opened));
}

Result<std::unique_ptr<Snapshot::Impl>> open_snapshot(const Archive::Impl& archive) {
  constexpr int kTries = 100;
  Error last{ErrorCode::io, fmt::format("{} changes all the time", archive.directory)};
  for (int i = 0; i < kTries; ++i) {
    BA_ASSIGN(auto hot, archive.hot());
    const Tables tables = hot->tables();
    BA_ASSIGN(ReadTransaction transaction, hot->lmdb.read());
    auto packs = archive.packs(transaction, tables);
    if (packs) {
      return std::make_unique<Snapshot::Impl>(archive, std::move(hot), tables, std::move(transaction),
                                              std::move(*packs));
    }
    // A pack that is gone has been replaced since the transaction began, or is missing: then the next try says the same.
    last = packs.error();
    if (last.code != ErrorCode::not_found || i == kTries - 1) break;
  }
  if (last.code == ErrorCode::not_found) last = {ErrorCode::corrupt, last.message + ": restore it from a copy"};
  return last;
}

Result<Writer> Archive::writer(const WriterOptions& options) {
  BA_ASSIGN(FileLock lock, FileLock::acquire(impl_->path(kLockFile), options.wait));
  BA_TRY(clear_temporary(*impl_->files, impl_->path(kTemporaryDirectory)));
  BA_ASSIGN(auto hot, impl_->hot());
  PackList packs;
  {
    BA_ASSIGN(const ReadTransaction transaction, hot->lmdb.read());
    BA_ASSIGN(packs, impl_->packs(transaction, hot->tables()));
  }
  return Writer(std::make_unique<Writer::Impl>(*impl_, std::move(lock), std::move(hot), std::move(packs)));
}

}  // namespace blockarch
