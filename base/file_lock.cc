#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "base/file.h"

namespace blockarch {
namespace {

using Clock = std::chrono::steady_clock;

// True where `path` still names the file behind `descriptor`: a lock on a file that somebody removed or replaced after
// we opened it excludes nobody.
bool is_still_at(const std::string& path, int descriptor) {
  struct stat held;
  struct stat named;
  return ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

// The process id in a lock file, 0 where it says none.
long holder_of(int descriptor) {
  char text[24] = {};
  const ssize_t n = ::pread(descriptor, text, sizeof text - 1, 0);
  return n > 0 ? std::max(0L, std::strtol(text, nullptr, 10)) : 0;
}

// Best effort: a full disk must not keep anybody from the lock.
void write_holder(int descriptor) {
  const std::string text = fmt::format("{}\n", ::getpid());
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t n = ::pwrite(descriptor, text.data(), text.size(), 0);
}

Error locked_error(const std::string& path, long holder) {
  if (holder == 0) return Error{ErrorCode::locked, fmt::format("{} is locked by another process", path)};
  return Error{ErrorCode::locked, fmt::format("{} is locked by process {}", path, holder)};
}

// Whoever waits holds a shared lock on one byte far beyond the file's end, which has nothing to do with flock's.
struct flock waiting_mark(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t{1} << 30;
  lock.l_len = 1;
  return lock;
}

// Best effort: where it fails, the holder does not know and goes on.
Descriptor show_that_we_wait(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct flock lock = waiting_mark(F_RDLCK);
  if (file.is_open()) ::fcntl(file.get(), F_OFD_SETLK, &lock);
  return file;
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::string& path, std::chrono::milliseconds wait) {
  const Clock::time_point deadline = Clock::now() + wait;
  Descriptor waiting;
  auto pause = std::chrono::milliseconds(1);
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      if (errno == EINTR) continue;
      return system_error(errno, "open lock file", path);
    }
    // flock, unlike fcntl locks, is tied to this descriptor: another FileLock in the same process excludes us as well,
    // and closing some other descriptor of the file does not give the lock away.
    const int rc = ::flock(descriptor, LOCK_EX | LOCK_NB);
    const int number = errno;
    if (rc == 0 && is_still_at(path, descriptor)) {
      write_holder(descriptor);
      return FileLock(descriptor);
    }
    const long holder = rc == 0 ? 0 : holder_of(descriptor);
    ::close(descriptor);
    if (rc != 0 && number != EWOULDBLOCK && number != EINTR) return system_error(number, "lock", path);
    const Clock::time_point now = Clock::now();
    if (now >= deadline) {
      if (rc == 0) continue;  // Nobody holds it: the file was just replaced.
      return locked_error(path, holder);
    }
    if (!waiting.is_open()) waiting = show_that_we_wait(path);
    std::this_thread::sleep_for(std::min<Clock::duration>(pause, deadline - now));
    pause = std::min(pause * 2, std::chrono::milliseconds(50));
  }
}

bool FileLock::is_wanted() const {
  struct flock lock = waiting_mark(F_WRLCK);
  return ::fcntl(descriptor_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this != &other) {
    const FileLock released(std::move(*this));
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  // Unlocked by name and not by closing alone: a forked child may hold a copy of the descriptor.
  ::flock(descriptor_, LOCK_UN);
  ::close(descriptor_);
}

}  // namespace blockarch
