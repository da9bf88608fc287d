#include "warc/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/file.h"

namespace blockarch {
namespace {

class FileInput : public ByteInput {
 public:
  FileInput(std::string name, Descriptor file, std::optional<std::uint64_t> size)
      : ByteInput(std::move(name)), file_(std::move(file)), size_(size) {}

  std::optional<std::uint64_t> size() const override { return size_; }
  bool can_seek() const override { return size_.has_value(); }

  Result<void> seek(std::uint64_t offset) override {
    if (::lseek(file_.get(), static_cast<off_t>(offset), SEEK_SET) < 0) return system_error(errno, "seek in", name());
    return {};
  }

 protected:
  Result<std::size_t> read_some(char* out, std::size_t size) override {
    while (true) {
      const ssize_t n = ::read(file_.get(), out, size);
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) return system_error(errno, "read", name());
    }
  }

 private:
  Descriptor file_;
  std::optional<std::uint64_t> size_;
};

class MemoryInput : public ByteInput {
 public:
  MemoryInput(Bytes bytes, std::string name, bool sized)
      : ByteInput(std::move(name)), bytes_(std::move(bytes)), sized_(sized) {}

  std::optional<std::uint64_t> size() const override {
    return sized_ ? std::optional<std::uint64_t>(bytes_.size()) : std::nullopt;
  }
  bool can_seek() const override { return sized_; }

  Result<void> seek(std::uint64_t offset) override {
    at_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset, bytes_.size()));
    return {};
  }

 protected:
  Result<std::size_t> read_some(char* out, std::size_t size) override {
    const std::size_t n = std::min(size, bytes_.size() - at_);
    std::memcpy(out, bytes_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  Bytes bytes_;
  std::size_t at_ = 0;
  bool sized_;
};

Result<std::unique_ptr<ByteInput>> open_descriptor(Descriptor file, std::string name) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error(errno, "read", name);
  if (S_ISDIR(info.st_mode)) return Error{ErrorCode::invalid, name + " is a directory"};
  std::optional<std::uint64_t> size;
  // A redirected standard input may stand anywhere in its file; sizes are counted from the beginning.
  if (S_ISREG(info.st_mode) && ::lseek(file.get(), 0, SEEK_CUR) == 0) {
    size = static_cast<std::uint64_t>(info.st_size);
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  return std::unique_ptr<ByteInput>(std::make_unique<FileInput>(std::move(name), std::move(file), size));
}

}  // namespace

Result<std::size_t> ByteInput::read(char* out, std::size_t size) {
  BA_ASSIGN(const std::size_t n, read_some(out, size));
  bytes_read_.fetch_add(n, std::memory_order_relaxed);
  return n;
}

Result<void> ByteInput::seek(std::uint64_t) {
  return Error{ErrorCode::unsupported, name() + " cannot be read out of order"};
}

Result<std::unique_ptr<ByteInput>> open_input(const std::string& path) {
  if (path == "-") {
    Descriptor copy(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!copy.is_open()) return system_error(errno, "read", "standard input");
    return open_descriptor(std::move(copy), "standard input");
  }
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return system_error(errno, "open", path);
  return open_descriptor(std::move(file), path);
}

std::unique_ptr<ByteInput> memory_input(Bytes bytes, std::string name, bool sized) {
  return std::make_unique<MemoryInput>(std::move(bytes), std::move(name), sized);
}

}  // namespace blockarch
