#include "engine/site_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/file.h"

namespace blockarch {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int kCreateFile = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

bool is_safe_segment(std::string_view segment) {
  return !segment.empty() && segment != "." && segment != ".." && segment.find('\0') == std::string_view::npos;
}

// The directory `name` inside `parent`, made if it is missing.
Result<Descriptor> enter(int parent, const std::string& name, const std::string& path) {
  Descriptor directory(::openat(parent, name.c_str(), kOpenDirectory));
  if (directory.get() >= 0) return directory;
  if (errno != ENOENT) return system_error(errno, "open directory", path);
  if (::mkdirat(parent, name.c_str(), 0777) != 0 && errno != EEXIST) return system_error(errno, "make directory", path);
  directory = Descriptor(::openat(parent, name.c_str(), kOpenDirectory));
  if (directory.get() < 0) return system_error(errno, "open directory", path);
  return directory;
}

}  // namespace

Result<void> SiteFile::append(ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(errno, "write", path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> SiteFile::close() {
  if (!descriptor_.close()) return system_error(errno, "write", path_);
  return {};
}

Result<SiteDirectory> SiteDirectory::create(const std::string& path) {
  namespace fs = std::filesystem;
  const Error taken{ErrorCode::invalid, fmt::format("{} is not an empty directory: name a new one", path)};
  if (path.empty()) return Error{ErrorCode::invalid, "the directory to write to has no name"};
  std::error_code error;
  fs::create_directories(path, error);
  if (error && fs::exists(path) && !fs::is_directory(path)) return taken;
  if (error) return system_error(error.value(), "make directory", path);
  Descriptor root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (root.get() < 0) return errno == ENOTDIR ? taken : system_error(errno, "open directory", path);
  const bool empty = fs::is_empty(path, error);
  if (error) return system_error(error.value(), "read directory", path);
  if (!empty) return taken;
  return SiteDirectory(std::move(root), path);
}

Result<SiteFile> SiteDirectory::create_file(std::string_view name) {
  Descriptor inner;
  int directory = root_.get();
  std::size_t begin = 0;
  while (true) {
    const std::size_t slash = name.find('/', begin);
    const std::string segment(name.substr(begin, slash - begin));
    const std::string path = fmt::format("{}/{}", path_, name.substr(0, slash));
    if (!is_safe_segment(segment)) return Error{ErrorCode::invalid, fmt::format("{} is not a safe file name", path)};
    if (slash == std::string_view::npos) {
      Descriptor file(::openat(directory, segment.c_str(), kCreateFile, 0666));
      if (file.get() < 0) return system_error(errno, "create", path);
      return SiteFile(std::move(file), path);
    }
    BA_ASSIGN(Descriptor next, enter(directory, segment, path));
    inner = std::move(next);
    directory = inner.get();
    begin = slash + 1;
  }
}

Result<void> SiteDirectory::write_file(std::string_view name, ByteView bytes) {
  BA_ASSIGN(SiteFile file, create_file(name));
  BA_TRY(file.append(bytes));
  return file.close();
}

}  // namespace blockarch
