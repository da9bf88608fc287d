#include "transfer/export_git_pack.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <libdeflate.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <numeric>

#include "base/coding.h"
#include "base/file.h"
#include "transfer/export_git_delta.h"

namespace blockarch {
namespace {

constexpr std::size_t kBufferSize = 1 << 20;
constexpr int kLevel = 6;  // zlib's usual one, which git takes too
constexpr unsigned kOffsetDelta = 6;
constexpr std::size_t kHeadSize = 12;

Error file_error(const char* what, const std::string& path) {
  return system_error(errno, what, path);
}

Result<void> write_all(int file, ByteView bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// Type and size: three bits of type and four of size, then seven bits of size each.
void put_entry_head(Bytes& out, unsigned type, std::uint64_t size) {
  unsigned byte = type << 4 | static_cast<unsigned>(size & 15);
  for (size >>= 4; size > 0; size >>= 7) {
    out.push_back(static_cast<char>(byte | 0x80));
    byte = static_cast<unsigned>(size & 0x7f);
  }
  out.push_back(static_cast<char>(byte));
}

// How far back the base stands: high bits first, each byte but the last counting one more.
void put_distance(Bytes& out, std::uint64_t distance) {
  std::array<char, 10> bytes{};
  std::size_t at = bytes.size() - 1;
  bytes[at] = static_cast<char>(distance & 0x7f);
  while (distance >>= 7) bytes[--at] = static_cast<char>(0x80 | (--distance & 0x7f));
  out.append(bytes.data() + at, bytes.size() - at);
}

}  // namespace

struct GitPackWriter::Compressor {
  libdeflate_compressor* deflate = libdeflate_alloc_compressor(kLevel);
  Compressor() {
    if (deflate == nullptr) throw std::bad_alloc();
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor() { libdeflate_free_compressor(deflate); }
};

GitPackWriter::GitPackWriter(std::string directory, Descriptor file)
    : directory_(std::move(directory)), file_(std::move(file)), compressor_(std::make_unique<Compressor>()) {
  slots_.resize(1 << 10);
}
GitPackWriter::GitPackWriter(GitPackWriter&&) noexcept = default;
GitPackWriter::~GitPackWriter() = default;

Result<GitPackWriter> GitPackWriter::create(const std::string& directory) {
  const std::string path = directory + "/making.pack";
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) return file_error("create", path);
  GitPackWriter writer(directory, std::move(file));
  // The number of objects is written when it is known.
  writer.buffer_.append(kHeadSize, '\0');
  writer.offset_ = kHeadSize;
  return writer;
}

std::uint32_t* GitPackWriter::slot_for(const GitId& id) {
  std::uint64_t hash = 0;
  std::memcpy(&hash, id.bytes.data(), sizeof hash);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != 0 && objects_[slots_[at] - 1].id != id) at = (at + 1) & mask;
  return &slots_[at];
}

void GitPackWriter::grow_slots() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < objects_.size(); ++i) *slot_for(objects_[i].id) = static_cast<std::uint32_t>(i + 1);
}

Result<GitPackWriter::Number> GitPackWriter::add(GitKind kind, ByteView content, const Base* base) {
  const GitId id = git_id(sha1_, kind, content);
  if (const std::uint32_t known = *slot_for(id); known != 0) return known - 1;
  if (base != nullptr && can_be_base(base->number)) {
    // Half: a difference that long saves little and costs every reader of it another object.
    if (const auto delta = git_delta(base->content, content, content.size() / 2)) {
      Bytes distance;
      put_distance(distance, offset_ - objects_[base->number].offset);
      const auto depth = static_cast<std::uint8_t>(depths_[base->number] + 1);
      return append(id, kOffsetDelta, distance, *delta, depth);
    }
  }
  return append(id, static_cast<unsigned>(kind), {}, content, 0);
}

Result<GitPackWriter::Number> GitPackWriter::add_with_delta(GitKind kind, ByteView content, ByteView delta,
                                                            Number base) {
  if (!can_be_base(base) || delta.size() >= content.size()) return add(kind, content);
  const GitId id = git_id(sha1_, kind, content);
  if (const std::uint32_t known = *slot_for(id); known != 0) return known - 1;
  Bytes distance;
  put_distance(distance, offset_ - objects_[base].offset);
  return append(id, kOffsetDelta, distance, delta, static_cast<std::uint8_t>(depths_[base] + 1));
}

Result<GitPackWriter::Number> GitPackWriter::append(const GitId& id, unsigned type, ByteView prefix, ByteView content,
                                                    std::uint8_t depth) {
  if (objects_.size() >= UINT32_MAX - 1) return Error{ErrorCode::too_large, "a git pack has no room for more objects"};
  Bytes head;
  put_entry_head(head, type, content.size());
  head.append(prefix);
  packed_.resize(libdeflate_zlib_compress_bound(compressor_->deflate, content.size()));
  const std::size_t size =
      libdeflate_zlib_compress(compressor_->deflate, content.data(), content.size(), packed_.data(), packed_.size());
  const ByteView body = ByteView(packed_).substr(0, size);
  const std::uint32_t crc = libdeflate_crc32(libdeflate_crc32(0, head.data(), head.size()), body.data(), body.size());
  objects_.push_back({id, crc, offset_});
  depths_.push_back(depth);
  if (objects_.size() * 2 > slots_.size()) {
    grow_slots();
  } else {
    *slot_for(id) = static_cast<std::uint32_t>(objects_.size());
  }
  if (depth > 0) ++deltas_;
  buffer_.append(head).append(body);
  offset_ += head.size() + body.size();
  if (buffer_.size() >= kBufferSize) BA_TRY(flush());
  // One large page must not hold its memory until the end.
  if (packed_.size() > kBufferSize * 16) Bytes().swap(packed_);
  return static_cast<Number>(objects_.size() - 1);
}

Result<void> GitPackWriter::flush() {
  BA_TRY(write_all(file_.get(), buffer_, directory_ + "/making.pack"));
  if (buffer_.capacity() > kBufferSize * 16) Bytes().swap(buffer_);
  buffer_.clear();
  return {};
}

// The head counts the objects and the trailer is a checksum over all, so the file is read once more.
Result<GitId> GitPackWriter::write_head_and_trailer() {
  const std::string path = directory_ + "/making.pack";
  Bytes head = "PACK";
  put_fixed32(head, 2);
  put_fixed32(head, static_cast<std::uint32_t>(objects_.size()));
  if (::pwrite(file_.get(), head.data(), head.size(), 0) != static_cast<ssize_t>(head.size()))
    return file_error("write", path);
  buffer_.resize(kBufferSize);
  for (std::uint64_t at = 0; at < offset_;) {
    const ssize_t count = ::pread(file_.get(), buffer_.data(), buffer_.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error("read", path);
    if (count == 0) return Error{ErrorCode::io, fmt::format("{} was cut while it was written", path)};
    sha1_.update(ByteView(buffer_).substr(0, static_cast<std::size_t>(count)));
    at += static_cast<std::uint64_t>(count);
  }
  const GitId checksum = sha1_.finish();
  BA_TRY(write_all(file_.get(), checksum.view(), path));
  if (::fsync(file_.get()) != 0 || !file_.close()) return file_error("write", path);
  return checksum;
}

Result<void> GitPackWriter::write_index(const GitId& pack_checksum) {
  std::vector<std::uint32_t> order(objects_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return objects_[a].id < objects_[b].id; });
  const std::string path = directory_ + "/making.idx";
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) return file_error("create", path);
  Bytes out("\377tOc", 4);
  put_fixed32(out, 2);
  const auto put = [&](auto&& put_one) -> Result<void> {
    for (const std::uint32_t number : order) {
      put_one(objects_[number]);
      if (out.size() < kBufferSize) continue;
      sha1_.update(out);
      BA_TRY(write_all(file.get(), out, path));
      out.clear();
    }
    return {};
  };
  std::array<std::uint32_t, 256> fanout{};
  for (const Object& object : objects_) ++fanout[object.id.bytes[0]];
  std::uint32_t sum = 0;
  for (const std::uint32_t count : fanout) put_fixed32(out, sum += count);
  Bytes large;
  BA_TRY(put([&](const Object& o) { out.append(o.id.view()); }));
  BA_TRY(put([&](const Object& o) { put_fixed32(out, o.crc); }));
  BA_TRY(put([&](const Object& o) {
    if (o.offset < 0x80000000U) return put_fixed32(out, static_cast<std::uint32_t>(o.offset));
    put_fixed32(out, 0x80000000U | static_cast<std::uint32_t>(large.size() / 8));
    put_fixed64(large, o.offset);
  }));
  out.append(large).append(pack_checksum.view());
  out.append(sha1_.update(out).finish().view());
  BA_TRY(write_all(file.get(), out, path));
  if (::fsync(file.get()) != 0 || !file.close()) return file_error("write", path);
  return {};
}

Result<void> GitPackWriter::finish() {
  BA_TRY(flush());
  BA_ASSIGN(const GitId checksum, write_head_and_trailer());
  BA_TRY(write_index(checksum));
  const std::string name = fmt::format("{}/pack-{}", directory_, checksum.hex());
  BA_TRY(posix_files().rename(directory_ + "/making.pack", name + ".pack"));
  return posix_files().rename(directory_ + "/making.idx", name + ".idx");
}

}  // namespace blockarch
