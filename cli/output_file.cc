#include "cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/file.h"
#include "cli/process.h"

namespace blockarch {
namespace {

constexpr std::size_t kBufferSize = 1 << 18;

Error write_error(const char* what, const std::string& path) {
  Error error = system_error(errno, what, path);
  // not_found means the archive.
  if (error.code == ErrorCode::not_found) error.code = ErrorCode::io;
  return error;
}

std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? real.get() : path;
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  if (path == "-") return OutputFile("standard output", "", Descriptor(::dup(STDOUT_FILENO)));
  struct stat before {};
  const bool exists = ::stat(path.c_str(), &before) == 0;
  if (exists && S_ISDIR(before.st_mode))
    return Error{ErrorCode::io, fmt::format("cannot write {}: it is a directory", path)};
  if (exists && !S_ISREG(before.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open()) return write_error("open", path);
    return OutputFile(path, "", std::move(file));
  }
  const std::filesystem::path target = exists ? resolved(path) : path;
  const std::string name = fmt::format(".{}.{}.tmp", target.filename().string().substr(0, 200), ::getpid());
  const std::string temporary = target.parent_path() / name;
  const SignalsHeld held;
  Descriptor file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, exists ? before.st_mode & 0777 : 0666));
  if (!file.is_open()) return write_error("create a file for", path);
  remove_on_signal(temporary);
  return OutputFile(target.string(), temporary, std::move(file));
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)),
      buffer_(std::move(other.buffer_)),
      size_(other.size_) {}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  remove_on_signal("");
}

Result<void> OutputFile::write(ByteView bytes) {
  size_ += bytes.size();
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferSize) return flush();
  return {};
}

Result<void> OutputFile::flush() {
  for (ByteView rest = buffer_; !rest.empty();) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return write_error("write", path_);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  // One large page must not keep its memory.
  if (buffer_.capacity() > kBufferSize * 16) Bytes().swap(buffer_);
  buffer_.clear();
  return {};
}

Result<void> OutputFile::finish() {
  BA_TRY(flush());
  if (temporary_.empty()) return file_.close() ? Result<void>() : write_error("write", path_);
  // Else a power cut after the rename could leave an empty file in the place of an old one.
  if (::fsync(file_.get()) != 0 || !file_.close()) return write_error("write", path_);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return write_error("replace", path_);
  temporary_.clear();
  remove_on_signal("");
  return {};
}

}  // namespace blockarch
