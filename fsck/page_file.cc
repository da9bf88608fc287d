#include "fsck/page_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/file.h"

namespace blockarch {

Result<PageFile> PageFile::open(const std::string& path) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return system_error(errno, "open", path);
  PageFile file(descriptor, 0, path);
  struct stat status;
  if (::fstat(descriptor, &status) != 0) return system_error(errno, "read", path);
  if (!S_ISREG(status.st_mode)) return Error{ErrorCode::corrupt, path + " is not a regular file"};
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

PageFile::PageFile(PageFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

PageFile& PageFile::operator=(PageFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(path_, other.path_);
  return *this;
}

PageFile::~PageFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Bytes> PageFile::read(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset) return Error{ErrorCode::corrupt, "it lies beyond the end of the file"};
  Bytes bytes(count, '\0');
  std::uint64_t done = 0;
  while (done < count) {
    const ssize_t n = ::pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(errno, "read", path_);
    if (n == 0) return Error{ErrorCode::corrupt, "it lies beyond the end of the file"};
    done += static_cast<std::uint64_t>(n);
  }
  return bytes;
}

}  // namespace blockarch
