#include "cli/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/descriptor.h"
#include "base/file.h"
#include "cli/process.h"
#include "cli/text.h"

namespace blockarch {
namespace {

Error not_our_archive(Error error) {
  if (error.code == ErrorCode::not_found) error.code = ErrorCode::io;
  return error;
}

Result<Bytes> read_standard_input(std::uint64_t limit) {
  if (::isatty(STDIN_FILENO) == 1) {
    return Error{ErrorCode::invalid, "standard input is a terminal: name a FILE, or feed the page through a pipe"};
  }
  Bytes bytes;
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(std::max<std::size_t>(1 << 16, bytes.size() * 2));
    const ssize_t count = ::read(STDIN_FILENO, bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno, "read", "standard input");
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > limit) {
      return Error{ErrorCode::too_large, fmt::format("standard input is larger than {}", human_size(limit))};
    }
  }
  bytes.resize(used);
  return bytes;
}

Result<void> write_all(Descriptor& file, ByteView bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return not_our_archive(system_error(errno, "write", path));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// Where a symbolic link leads, so that the file is replaced and not the link.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? real.get() : path;
}

Result<void> write_directly(const std::string& path, ByteView bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) return not_our_archive(system_error(errno, "open", path));
  BA_TRY(write_all(file, bytes, path));
  if (!file.close()) return not_our_archive(system_error(errno, "write", path));
  return {};
}

Result<void> write_temporary(const std::string& temporary, const std::string& path, ByteView bytes, mode_t mode) {
  std::optional<SignalsHeld> held(std::in_place);
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file.is_open()) return not_our_archive(system_error(errno, "create a file for", path));
  remove_on_signal(temporary);
  held.reset();
  BA_TRY(write_all(file, bytes, path));
  // Else a power cut after the rename could leave an empty file in the place of an old one.
  if (::fsync(file.get()) != 0 || !file.close()) return not_our_archive(system_error(errno, "write", path));
  if (::rename(temporary.c_str(), path.c_str()) != 0) return not_our_archive(system_error(errno, "replace", path));
  return {};
}

}  // namespace

Result<Bytes> read_input(const std::string& path, std::uint64_t limit) {
  if (path == "-") return read_standard_input(limit);
  auto bytes = posix_files().read_file(path, limit);
  if (!bytes) return not_our_archive(bytes.error());
  return bytes;
}

Result<void> write_output_file(const std::string& path, ByteView bytes) {
  struct stat before {};
  const bool exists = ::stat(path.c_str(), &before) == 0;
  if (exists && S_ISDIR(before.st_mode))
    return Error{ErrorCode::io, fmt::format("cannot write {}: it is a directory", path)};
  if (exists && !S_ISREG(before.st_mode)) return write_directly(path, bytes);
  const std::filesystem::path target = exists ? resolved(path) : path;
  const std::string name = fmt::format(".{}.{}.tmp", target.filename().string().substr(0, 200), ::getpid());
  const std::string temporary = target.parent_path() / name;
  const auto written = write_temporary(temporary, target, bytes, exists ? before.st_mode & 0777 : 0666);
  if (!written) ::unlink(temporary.c_str());
  remove_on_signal("");
  return written;
}

}  // namespace blockarch
