#include "transfer/directory_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <algorithm>
#include <memory>

namespace blockarch {

void NameList::add(std::string_view name) {
  begins_.push_back(bytes_.size());
  bytes_ += name;
  bytes_ += '\0';
}

std::string_view NameList::operator[](std::size_t i) const {
  return bytes_.data() + begins_[i];
}

void NameList::sort() {
  std::sort(begins_.begin(), begins_.end(), [this](std::size_t a, std::size_t b) {
    return std::string_view(bytes_.data() + a) < std::string_view(bytes_.data() + b);
  });
}

bool NameList::contains(std::string_view name) const {
  const auto at = std::lower_bound(
      begins_.begin(), begins_.end(), name,
      [this](std::size_t a, std::string_view wanted) { return std::string_view(bytes_.data() + a) < wanted; });
  return at != begins_.end() && std::string_view(bytes_.data() + *at) == name;
}

// The kernel refuses links and ".." on the whole way. Kernels before 5.6 cannot; there only the last name is looked at,
// which is enough unless somebody changes the directory while it is read.
Descriptor DirectoryTree::open(const std::string& path, int flags) const {
  const char* name = path.empty() ? "." : path.c_str();
  flags |= O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const long opened = ::syscall(SYS_openat2, root_.get(), name, &how, sizeof how);
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return Descriptor(static_cast<int>(opened));
  return Descriptor(::openat(root_.get(), name, flags));
}

int DirectoryTree::list(const std::string& path, NameList& names) const {
  Descriptor opened = open(path, O_DIRECTORY);
  if (!opened.is_open()) return errno;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::fdopendir(opened.get()), ::closedir);
  if (!directory) return errno;
  opened.release();
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.add(name);
    errno = 0;
  }
  const int error = errno;
  names.sort();
  return error;
}

int DirectoryTree::stat(const std::string& path, struct stat& status) const {
  return ::fstatat(root_.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

int DirectoryTree::read(const std::string& path, std::uint64_t limit, Bytes& bytes) const {
  const Descriptor file = open(path, 0);
  if (!file.is_open()) return errno;
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  constexpr std::size_t kStep = 1 << 20;
  const auto expected = std::min<std::uint64_t>(limit, static_cast<std::uint64_t>(status.st_size) + 1);
  bytes.clear();
  while (bytes.size() < limit) {
    const std::size_t have = bytes.size();
    const std::size_t room = have < expected ? expected - have : std::min<std::uint64_t>(kStep, limit - have);
    bytes.resize(have + room);
    const ssize_t got = ::read(file.get(), bytes.data() + have, room);
    bytes.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) return errno;
    if (got == 0) break;
  }
  return 0;
}

}  // namespace blockarch
