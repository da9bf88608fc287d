// Every environment that is open in this process, by the identity of its file.
//
// 1. LMDB keeps its place among other processes by fcntl locks on the lock file, which the system drops as soon as the
//    process closes any descriptor of that file. So no second environment of a file may be opened, not even for the
//    moment in which the last user of the first one is closing it.
// 2. The key holds the process id: a child made by fork() must not use the environments of its parent.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <condition_variable>
#include <filesystem>
#include <utility>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/lmdb_environment.h"
#include "base/lmdb_file.h"

namespace blockarch::lmdb_detail {
namespace {

struct FileIdentity {
  dev_t device;
  ino_t inode;
  pid_t process;
  auto operator<=>(const FileIdentity&) const = default;
};

struct Registry {
  std::mutex mutex;
  std::condition_variable closed;
  // An entry whose pointer has expired is being closed.
  std::map<FileIdentity, std::weak_ptr<Environment>> open;
};

// Never destroyed: environments may outlive static objects.
Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

Result<FileIdentity> identity_of(int descriptor, const std::string& path) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) return system_error(errno, "open", path);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::corrupt, fmt::format("{} is not a regular file", path)};
  return FileIdentity{status.st_dev, status.st_ino, ::getpid()};
}

// not_found where the file has just lost its name.
Result<bool> is_writable(const std::string& path) {
  const std::string lock = path + "-lock";
  if (::access(path.c_str(), R_OK | W_OK) != 0) {
    if (errno == ENOENT) return system_error(errno, "open", path);
    return false;
  }
  if (::access(lock.c_str(), R_OK | W_OK) == 0) return true;
  const std::string directory = std::filesystem::path(path).parent_path();
  return errno == ENOENT && ::access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) == 0;
}

// LMDB writes to its lock file through memory, and on a full disk the first touch of a page that has no place on disk
// yet ends the process. So the places are taken beforehand, without a change of the size, which LMDB gives a meaning.
// To open and close the lock file here is harmless (1): no environment of it is open in this process.
Result<void> reserve_lock_file(const std::string& path, unsigned readers) {
#ifdef __linux__
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file.get() < 0) return {};  // LMDB will say it, or do without on a read-only file system.
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return system_error(errno, "open", path);
  constexpr off_t kHead = 4096;
  constexpr off_t kReader = 64;
  const off_t size = std::max<off_t>(status.st_size, kHead + kReader * off_t{readers});
  if (::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, size) != 0 && (errno == ENOSPC || errno == EDQUOT)) {
    return system_error(errno, "create", path);
  }
#endif
  return {};
}

// LMDB opens by name, and makes a file where the name has lost its own since `descriptor` was opened. Such a file holds
// nothing and is removed again; where another file has the name, that one stays.
Result<void> require_same_file(std::unique_ptr<Environment>& environment, int descriptor, const std::string& path) {
  BA_ASSIGN(const FileIdentity wanted, identity_of(descriptor, path));
  BA_ASSIGN(const FileIdentity opened, identity_of(environment->descriptor(), path));
  if (opened == wanted) return {};
  const bool made_now = environment->is_blank();
  environment.reset();
  if (made_now) {
    ::unlink(path.c_str());
    ::unlink((path + "-lock").c_str());
  }
  return Error{ErrorCode::not_found, fmt::format("{} was removed or replaced while it was opened", path)};
}

// A file of its own, not known to LMDB yet: checks it and opens it.
Result<std::unique_ptr<Environment>> open_new(int descriptor, const std::string& path, const LmdbOptions& options) {
  if (options.create && is_unfinished_lmdb_file(descriptor) && ::truncate(path.c_str(), 0) != 0) {
    return system_error(errno, "create", path);
  }
  BA_ASSIGN(const FileFacts facts, check_lmdb_file(descriptor, path));
  if (facts.size == 0 && !options.create) return Error{ErrorCode::corrupt, fmt::format("{} is empty", path)};
  BA_ASSIGN(const bool writable, is_writable(path));
  if (!writable && !options.read_only) return system_error(EACCES, "write", path);

  BA_TRY(reserve_lock_file(path + "-lock", options.max_readers));
  auto environment = std::make_unique<Environment>(path, options);
  BA_TRY(environment->open(writable, facts.pages, facts.page_size));
  BA_TRY(require_same_file(environment, descriptor, path));
  BA_TRY(environment->open_tables(options.tables, options.create));
  BA_TRY(environment->open_later_tables(options.later_tables, options.create));
  if (facts.size == 0) {
    const std::string directory = std::filesystem::path(path).parent_path();
    BA_TRY(posix_files().sync_directory(directory.empty() ? "." : directory));
  }
  return environment;
}

Result<void> share(Environment& environment, const LmdbOptions& options) {
  if (environment.read_only && !options.read_only) {
    return Error{ErrorCode::permission, fmt::format("{} is open for reading only in this process", environment.path)};
  }
  BA_TRY(environment.open_tables(options.tables, options.create));
  return environment.open_later_tables(options.later_tables, options.create);
}

std::shared_ptr<Environment> enter_registry(FileIdentity identity, std::unique_ptr<Environment> environment) {
  const auto close = [identity](Environment* last) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    delete last;
    all.open.erase(identity);
    all.closed.notify_all();
  };
  std::shared_ptr<Environment> shared(environment.release(), close);
  registry().open[identity] = shared;
  return shared;
}

// Fills `found` as soon as there is an environment, also where it then fails.
Result<void> find_or_open(std::unique_lock<std::mutex>& lock, const std::string& path, const LmdbOptions& options,
                          std::shared_ptr<Environment>& found) {
  Registry& all = registry();
  while (true) {
    const int flags = options.create ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC;
    const Descriptor file(::open(path.c_str(), flags, 0666));
    if (file.get() < 0 && errno == EINTR) continue;
    if (file.get() < 0) return system_error(errno, "open", path);
    BA_ASSIGN(const FileIdentity identity, identity_of(file.get(), path));
    const auto known = all.open.find(identity);
    if (known == all.open.end()) {
      BA_ASSIGN(auto environment, open_new(file.get(), path, options));
      found = enter_registry(identity, std::move(environment));
      return {};
    }
    found = known->second.lock();
    if (found) return share(*found, options);
    all.closed.wait(lock);
  }
}

}  // namespace

Result<std::shared_ptr<Environment>> open_environment(const std::string& path, const LmdbOptions& options,
                                                      std::map<std::string, Table>& tables) {
  // Outlives the lock: where it turns out to be the last user, closing takes the lock.
  std::shared_ptr<Environment> environment;
  std::unique_lock lock(registry().mutex);
  BA_TRY(find_or_open(lock, path, options, environment));
  for (const auto& name : options.tables) tables[name] = Table{environment->tables.at(name)};
  for (const auto& name : options.later_tables) {
    const auto known = environment->tables.find(name);
    if (known != environment->tables.end()) tables[name] = Table{known->second};
  }
  return environment;
}

}  // namespace blockarch::lmdb_detail
