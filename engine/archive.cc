#include "engine/archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/archive_impl.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "engine/writer_impl.h"
#include "refs/archive_format.h"

namespace blockarch {
namespace {

LmdbOptions lmdb_options(bool create) {
  LmdbOptions options;
  options.create = create;
  options.tables = table_names();
  options.later_tables = later_table_names();
  return options;
}

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

// Whoever may only read the files can still read the archive; its writer() then says what is missing.
Result<Lmdb> open_hot_file(const std::string& path) {
  LmdbOptions options = lmdb_options(false);
  auto lmdb = Lmdb::open(path, options);
  if (lmdb.has_value() || lmdb.error().code != ErrorCode::permission) return lmdb;
  options.read_only = true;
  return Lmdb::open(path, options);
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
  BA_TRY(Lmdb::open(root + "/" + kHotFile, lmdb_options(true)));
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
  BA_ASSIGN(const auto hot, files.info(root + "/" + kHotFile));
  if (!hot) return Error{ErrorCode::corrupt, fmt::format("{}/{} is missing: restore it from a copy", root, kHotFile)};
  BA_ASSIGN(Lmdb lmdb, open_hot_file(root + "/" + kHotFile));
  return Archive(std::make_unique<Impl>(root, &files, std::move(lmdb)));
}

Tables Archive::Impl::current_tables() const {
  Tables current = tables;
  current.settings.handle = settings_;
  return current;
}

// Opened once more, with leave to create: the environment is the same, and keeps the table after this.
Result<void> Archive::Impl::make_settings_table() {
  if (settings_ != 0) return {};
  BA_ASSIGN(const Lmdb again, Lmdb::open(path(kHotFile), lmdb_options(true)));
  settings_ = find_tables(again).settings.handle;
  return {};
}

Archive::Archive(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

const std::string& Archive::directory() const {
  return impl_->directory;
}

Result<Snapshot> Archive::snapshot() const {
  const Tables tables = impl_->current_tables();
  BA_ASSIGN(ReadTransaction transaction, impl_->lmdb.read());
  return Snapshot(std::make_unique<Snapshot::Impl>(*impl_, tables, std::move(transaction)));
}

Result<Writer> Archive::writer(const WriterOptions& options) {
  BA_ASSIGN(FileLock lock, FileLock::acquire(impl_->path(kLockFile), options.wait));
  BA_TRY(clear_temporary(*impl_->files, impl_->path(kTemporaryDirectory)));
  return Writer(std::make_unique<Writer::Impl>(*impl_, std::move(lock)));
}

}  // namespace blockarch
