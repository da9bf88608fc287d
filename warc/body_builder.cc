#include "warc/body_builder.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/file.h"

namespace blockarch {
namespace {

constexpr std::size_t kSpillPiece = 1 << 20;
// Not a bomb whatever it came from.
constexpr std::uint64_t kAlwaysFine = 16 << 20;

Result<Descriptor> nameless_file(const std::string& directory) {
  Descriptor file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  // Not every file system can do that.
  std::string name = directory + "/blockarch-spill-XXXXXX";
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return system_error(errno, "make a temporary file in", directory);
  ::unlink(name.c_str());
  return file;
}

std::string spill_directory(const ReaderOptions& options) {
  if (!options.spill_directory.empty()) return options.spill_directory;
  const char* set = std::getenv("TMPDIR");
  return set != nullptr && *set != '\0' ? set : "/tmp";
}

}  // namespace

Result<BodyBuilder> BodyBuilder::create(std::uint64_t size, const ReaderOptions& options) {
  BodyBuilder builder;
  builder.size_ = size;
  builder.free_size_ = std::max(options.spill_limit, kAlwaysFine);
  builder.max_ratio_ = options.max_ratio;
  if (size > options.spill_limit) {
    builder.directory_ = spill_directory(options);
    BA_ASSIGN(builder.file_, nameless_file(builder.directory_));
    size = kSpillPiece;
  }
  if (size == 0) return builder;
  builder.data_ = static_cast<char*>(std::malloc(size));
  if (builder.data_ == nullptr) return Error{ErrorCode::too_large, "there is no memory for a record"};
  return builder;
}

BodyBuilder::BodyBuilder(BodyBuilder&& other) noexcept
    : size_(other.size_),
      have_(other.have_),
      data_(std::exchange(other.data_, nullptr)),
      file_(std::move(other.file_)),
      directory_(std::move(other.directory_)),
      free_size_(other.free_size_),
      max_ratio_(other.max_ratio_),
      raw_begin_(other.raw_begin_),
      bomb_(other.bomb_) {}

BodyBuilder::~BodyBuilder() {
  std::free(data_);
}

Result<std::size_t> BodyBuilder::take_to_file(PieceStream& stream) {
  const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(kSpillPiece, size_ - have_));
  BA_ASSIGN(const std::size_t n, stream.read(data_, size));
  for (std::size_t done = 0; done < n;) {
    const ssize_t written = ::write(file_.get(), data_ + done, n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(errno, "write a temporary file in", directory_);
    done += static_cast<std::size_t>(written);
  }
  return n;
}

Result<std::uint64_t> BodyBuilder::take(PieceStream& stream) {
  const std::uint64_t before = have_;
  if (!raw_begin_) raw_begin_ = stream.raw_position();
  while (have_ < size_) {
    auto taken =
        file_.is_open() ? take_to_file(stream) : stream.read(data_ + have_, static_cast<std::size_t>(size_ - have_));
    BA_ASSIGN(const std::size_t n, std::move(taken));
    if (n == 0) break;
    have_ += n;
    const std::uint64_t used = stream.raw_position() - *raw_begin_ + 1;
    if (stream.compressed() && have_ > free_size_ && have_ / max_ratio_ > used) {
      bomb_ = true;
      break;
    }
  }
  return have_ - before;
}

Result<RecordBody> BodyBuilder::finish() {
  const auto size = static_cast<std::size_t>(have_);
  if (!file_.is_open()) return RecordBody(std::exchange(data_, nullptr), size, false);
  if (size == 0) return RecordBody();
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  if (map == MAP_FAILED) return system_error(errno, "map a temporary file in", directory_);
  return RecordBody(static_cast<char*>(map), size, true);
}

}  // namespace blockarch
