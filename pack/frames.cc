#include "pack/frames.h"

#include <algorithm>

#include "base/coding.h"
#include "pack/format.h"

namespace blockarch {
namespace {

constexpr std::size_t kIdSize = 32;

Error malformed(std::string_view what) {
  return {ErrorCode::corrupt, "a frame of " + std::string(what) + " is malformed"};
}

}  // namespace

std::uint64_t frame_checksum(ByteView stored) {
  return head_of(blake3(stored));
}

Bytes ContentFrame::encode(const std::vector<std::pair<ObjectKind, Bytes>>& objects) {
  Bytes out;
  std::size_t size = 0;
  for (const auto& [kind, content] : objects) {
    put_varint(out, std::uint64_t{content.size()} << 1 | (kind == ObjectKind::layout ? 1 : 0));
    size += content.size();
  }
  out.reserve(out.size() + size);
  for (const auto& [kind, content] : objects) out.append(content);
  return out;
}

Result<std::shared_ptr<const ContentFrame>> ContentFrame::parse(Bytes raw, std::uint32_t count, bool metadata) {
  auto frame = std::make_shared<ContentFrame>();
  frame->raw_ = std::move(raw);
  ByteReader reader(frame->raw_);
  if (count > frame->raw_.size()) reader.fail();
  if (reader.ok()) {
    frame->kinds_.reserve(count);
    frame->starts_.reserve(count + 1);
  }
  frame->starts_.push_back(0);
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; reader.ok() && i < count; ++i) {
    const std::uint64_t head = reader.varint();
    end += head >> 1;
    if ((head >> 1) > kMaxObjectSize || end > frame->raw_.size() || (metadata && (head & 1))) reader.fail();
    frame->starts_.push_back(static_cast<std::uint32_t>(end));
    frame->kinds_.push_back(metadata ? ObjectKind::metadata : head & 1 ? ObjectKind::layout : ObjectKind::block);
  }
  if (!reader.ok() || reader.rest().size() != end) return malformed("objects");
  for (std::uint32_t& start : frame->starts_) start += static_cast<std::uint32_t>(reader.offset());
  return std::shared_ptr<const ContentFrame>(std::move(frame));
}

Hash256 ContentFrame::id(std::uint32_t at) const {
  return hash_object(kinds_[at], content(at));
}

FrameIds::FrameIds(const ContentFrame& frame) {
  objects_.reserve(frame.count());
  sorted_.resize(frame.count());
  for (std::uint32_t i = 0; i < frame.count(); ++i) {
    objects_.push_back({frame.id(i), static_cast<std::uint32_t>(frame.content(i).size()), frame.kind(i)});
    sorted_[i] = i;
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return objects_[a].id < objects_[b].id; });
}

std::optional<std::uint32_t> FrameIds::find(const Hash256& id) const {
  const auto at =
      std::lower_bound(sorted_.begin(), sorted_.end(), id,
                       [this](std::uint32_t place, const Hash256& wanted) { return objects_[place].id < wanted; });
  if (at == sorted_.end() || objects_[*at].id != id) return std::nullopt;
  return *at;
}

Bytes RecipeFrame::encode(const std::vector<Bytes>& lists, const std::vector<Bytes>& versions) {
  Bytes out;
  for (const Bytes& record : lists) put_varint(out, record.size());
  for (const Bytes& record : versions) put_varint(out, record.size());
  for (const Bytes& record : lists) out.append(record);
  for (const Bytes& record : versions) out.append(record);
  return out;
}

Result<std::shared_ptr<const RecipeFrame>> RecipeFrame::parse(Bytes raw, std::uint32_t lists, std::uint32_t versions) {
  auto frame = std::make_shared<RecipeFrame>();
  frame->raw_ = std::move(raw);
  frame->lists_ = lists;
  const std::uint64_t count = std::uint64_t{lists} + versions;
  ByteReader reader(frame->raw_);
  if (count > frame->raw_.size()) reader.fail();
  if (reader.ok()) frame->starts_.reserve(count + 1);
  frame->starts_.push_back(0);
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    end += reader.varint_up_to(frame->raw_.size());
    if (end > frame->raw_.size()) reader.fail();
    frame->starts_.push_back(static_cast<std::uint32_t>(end));
  }
  if (!reader.ok() || reader.rest().size() != end) return malformed("recipes");
  for (std::uint32_t& start : frame->starts_) start += static_cast<std::uint32_t>(reader.offset());
  return std::shared_ptr<const RecipeFrame>(std::move(frame));
}

void VersionsFrame::put(Bytes& out, const Hash256& id, std::uint64_t payload) {
  put_hash(out, id);
  put_fixed64(out, payload);
}

Result<std::shared_ptr<const VersionsFrame>> VersionsFrame::parse(Bytes raw, std::uint32_t count) {
  if (raw.size() != kEntrySize * count) return malformed("versions");
  auto frame = std::make_shared<VersionsFrame>();
  frame->raw_ = std::move(raw);
  return std::shared_ptr<const VersionsFrame>(std::move(frame));
}

Hash256 VersionsFrame::id(std::uint32_t at) const {
  return Hash256::from_bytes(ByteView(raw_).substr(kEntrySize * at, kIdSize));
}

std::uint64_t VersionsFrame::payload(std::uint32_t at) const {
  return ByteReader(ByteView(raw_).substr(kEntrySize * at + kIdSize)).fixed64();
}

Result<std::shared_ptr<const ExternalsFrame>> ExternalsFrame::parse(Bytes raw, std::uint32_t contents,
                                                                    std::uint32_t lists) {
  if (raw.size() != kIdSize * (std::uint64_t{contents} + lists)) return malformed("externals");
  auto frame = std::make_shared<ExternalsFrame>();
  frame->raw_ = std::move(raw);
  frame->contents_ = contents;
  return std::shared_ptr<const ExternalsFrame>(std::move(frame));
}

Hash256 ExternalsFrame::id(std::uint32_t at) const {
  return Hash256::from_bytes(ByteView(raw_).substr(kIdSize * at, kIdSize));
}

}  // namespace blockarch
