#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/descriptor.h"

namespace blockarch {
namespace {

// Repeats a system call that a signal interrupted before it did anything.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

int open_file(const std::string& path, int flags) {
  return uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

bool write_all(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t n = uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

class PosixInput final : public ReadableFile {
 public:
  PosixInput(Descriptor file, std::string path, const struct stat& status)
      : file_(std::move(file)),
        path_(std::move(path)),
        size_(static_cast<std::uint64_t>(status.st_size)),
        device_(status.st_dev),
        inode_(status.st_ino) {}

  std::uint64_t size() const override { return size_; }

  Result<Bytes> read_at(std::uint64_t offset, std::uint64_t count) const override {
    Bytes bytes(count, '\0');
    std::uint64_t done = 0;
    while (done < count) {
      const ssize_t n = uninterrupted(
          [&] { return ::pread(file_.get(), bytes.data() + done, count - done, static_cast<off_t>(offset + done)); });
      if (n < 0) return system_error(errno, "read", path_);
      if (n == 0) {
        return Error{ErrorCode::corrupt, fmt::format("{} ends before byte {}", path_, offset + count)};
      }
      done += static_cast<std::uint64_t>(n);
    }
    return bytes;
  }

  // As long as the file is open, no other one can get its number.
  bool has_its_name() const override {
    struct stat status;
    return ::stat(path_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
  }

 private:
  Descriptor file_;
  std::string path_;
  std::uint64_t size_;
  dev_t device_;
  ino_t inode_;
};

class PosixOutput final : public WritableFile {
 public:
  PosixOutput(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  Result<void> append(ByteView bytes) override {
    if (!write_all(file_.get(), bytes)) return system_error(errno, "write", path_);
    return {};
  }

  Result<void> sync() override {
    if (uninterrupted([&] { return ::fsync(file_.get()); }) != 0) return system_error(errno, "sync", path_);
    return {};
  }

 private:
  Descriptor file_;
  std::string path_;
};

class PosixFiles final : public FileSystem {
 public:
  Result<Bytes> read_file(const std::string& path, std::uint64_t limit) override;
  Result<void> write_file(const std::string& path, ByteView bytes) override;
  Result<std::unique_ptr<ReadableFile>> open_input(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> open_output(const std::string& path) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> remove(const std::string& path) override;
  Result<void> make_directory(const std::string& path) override;
  Result<void> sync_directory(const std::string& path) override;
  Result<std::vector<std::string>> list_directory(const std::string& path) override;
  Result<std::optional<Info>> info(const std::string& path) override;
};

Result<Bytes> PosixFiles::read_file(const std::string& path, std::uint64_t limit) {
  const Descriptor file(open_file(path, O_RDONLY));
  if (!file.is_open()) return system_error(errno, "open", path);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return system_error(errno, "read", path);

  // The size is a hint only: a pipe has none, and a file may grow while it is read.
  constexpr std::uint64_t kPiece = 64 << 10;
  const std::uint64_t hint = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  if (hint > limit) {
    return Error{ErrorCode::too_large, fmt::format("{} has {} bytes, more than {}", path, hint, limit)};
  }
  Bytes bytes(hint == 0 ? kPiece : hint + 1, '\0');
  std::uint64_t length = 0;
  while (true) {
    const ssize_t n = uninterrupted([&] { return ::read(file.get(), bytes.data() + length, bytes.size() - length); });
    if (n < 0) return system_error(errno, "read", path);
    if (n == 0) break;
    length += static_cast<std::uint64_t>(n);
    if (length > limit) {
      return Error{ErrorCode::too_large, fmt::format("{} has more than {} bytes", path, limit)};
    }
    if (length == bytes.size()) bytes.resize(length + std::max(kPiece, length / 2));
  }
  bytes.resize(length);
  return bytes;
}

Result<void> PosixFiles::write_file(const std::string& path, ByteView bytes) {
  Descriptor file(open_file(path, O_WRONLY | O_CREAT | O_TRUNC));
  if (!file.is_open()) return system_error(errno, "create", path);
  if (!write_all(file.get(), bytes)) return system_error(errno, "write", path);
  if (uninterrupted([&] { return ::fsync(file.get()); }) != 0) return system_error(errno, "sync", path);
  if (!file.close()) return system_error(errno, "close", path);
  return {};
}

Result<std::unique_ptr<ReadableFile>> PosixFiles::open_input(const std::string& path) {
  Descriptor file(open_file(path, O_RDONLY));
  if (!file.is_open()) return system_error(errno, "open", path);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return system_error(errno, "read", path);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::corrupt, fmt::format("{} is not a file", path)};
  return std::unique_ptr<ReadableFile>(std::make_unique<PosixInput>(std::move(file), path, status));
}

Result<std::unique_ptr<WritableFile>> PosixFiles::open_output(const std::string& path) {
  Descriptor file(open_file(path, O_WRONLY | O_CREAT | O_TRUNC));
  if (!file.is_open()) return system_error(errno, "create", path);
  return std::unique_ptr<WritableFile>(std::make_unique<PosixOutput>(std::move(file), path));
}

Result<void> PosixFiles::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return system_error(errno, fmt::format("rename {} to", from), to);
  return {};
}

Result<void> PosixFiles::remove(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return {};
  const int number = errno;
  // Linux names a directory by EISDIR, POSIX by EPERM.
  if ((number == EISDIR || number == EPERM) && ::rmdir(path.c_str()) == 0) return {};
  return system_error(errno == ENOTDIR ? number : errno, "remove", path);
}

Result<void> PosixFiles::make_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0777) == 0) return {};
  const int number = errno;
  struct stat status;
  if (number == EEXIST && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return {};
  return system_error(number, "create", path);
}

Result<void> PosixFiles::sync_directory(const std::string& path) {
  const Descriptor directory(open_file(path, O_RDONLY | O_DIRECTORY));
  if (!directory.is_open()) return system_error(errno, "open", path);
  // EINVAL: a file system that cannot sync directories (some network ones) and gives no better promise.
  if (uninterrupted([&] { return ::fsync(directory.get()); }) != 0 && errno != EINVAL) {
    return system_error(errno, "sync", path);
  }
  return {};
}

Result<std::vector<std::string>> PosixFiles::list_directory(const std::string& path) {
  DIR* directory = ::opendir(path.c_str());
  if (directory == nullptr) return system_error(errno, "open", path);
  std::vector<std::string> names;
  int number = 0;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(directory);
    number = errno;
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(directory);
  if (number != 0) return system_error(number, "list", path);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::optional<FileSystem::Info>> PosixFiles::info(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<Info>();
    return system_error(errno, "look at", path);
  }
  return std::optional(Info{.is_directory = S_ISDIR(status.st_mode),
                            .size = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0});
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

FileSystem& posix_files() {
  static PosixFiles files;
  return files;
}

Result<void> replace_file(FileSystem& files, const std::string& path, const std::string& temporary, ByteView bytes) {
  auto written = files.write_file(temporary, bytes);
  if (written) written = files.rename(temporary, path);
  if (!written) {
    // The first error is the one to report; what cannot be removed now is swept up with other temporary files.
    [[maybe_unused]] const auto removed = files.remove(temporary);
    return written;
  }
  return files.sync_directory(directory_of(path));
}

Error system_error(int number, const std::string& what, const std::string& path) {
  ErrorCode code = ErrorCode::io;
  if (number == ENOSPC || number == EDQUOT) code = ErrorCode::no_space;
  if (number == EACCES || number == EPERM || number == EROFS) code = ErrorCode::permission;
  if (number == ENOENT) code = ErrorCode::not_found;
  return Error{code, fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(number))};
}

}  // namespace blockarch
