#include "pack/directory.h"

#include "base/coding.h"

namespace blockarch {
namespace {

constexpr std::uint8_t kDirectoryVersion = 1;
constexpr std::uint64_t kMaxTypes = 1 << 16;
constexpr std::uint64_t kMaxName = 255;

void put_types(Bytes& out, const std::vector<VersionType>& types) {
  put_varint(out, types.size());
  for (const VersionType& type : types) {
    put_string(out, type.media_type);
    put_string(out, type.charset);
    put_string(out, type.segmenter);
    put_varint(out, type.level);
  }
}

std::vector<VersionType> read_types(ByteReader& reader) {
  const std::uint64_t count = reader.varint_up_to(kMaxTypes);
  std::vector<VersionType> types;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    VersionType type;
    type.media_type = reader.string(kMaxName);
    type.charset = reader.string(kMaxName);
    type.segmenter = reader.string(kMaxName);
    type.level = static_cast<std::uint32_t>(reader.varint_up_to(255));
    types.push_back(std::move(type));
  }
  return types;
}

void put_runs(Bytes& out, const std::vector<NumberRun>& runs) {
  put_varint(out, runs.size());
  std::int64_t expected = 0;
  for (const NumberRun& run : runs) {
    put_zigzag(out, run.number - expected);
    put_varint(out, run.length);
    expected = std::int64_t{run.number} + run.length;
  }
}

std::vector<NumberRun> read_runs(ByteReader& reader) {
  const std::uint64_t count = reader.varint_up_to(reader.rest().size());
  std::vector<NumberRun> runs;
  std::int64_t expected = 0;
  std::uint64_t ordinal = 0;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    const std::int64_t step = reader.zigzag();
    const std::uint64_t length = reader.varint_up_to(UINT32_MAX);
    if (step < -std::int64_t{UINT32_MAX} - 1 || step > std::int64_t{UINT32_MAX} || length == 0) reader.fail();
    const std::int64_t number = reader.ok() ? expected + step : 0;
    const std::int64_t end = number + static_cast<std::int64_t>(length);
    if (number < 0 || end > std::int64_t{1} << 32 || ordinal + length > UINT32_MAX) reader.fail();
    if (i > 0 && step == 0) reader.fail();  // one run would do
    runs.push_back(
        {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(ordinal), static_cast<std::uint32_t>(length)});
    expected = end;
    ordinal += length;
  }
  return runs;
}

void put_frame(Bytes& out, const FrameEntry& frame, std::uint32_t index) {
  out.push_back(static_cast<char>(static_cast<int>(frame.type) | static_cast<int>(frame.codec) << 4));
  put_varint(out, frame.stored_size);
  if (frame.codec != FrameCodec::stored) put_varint(out, frame.raw_size);
  if (frame.codec == FrameCodec::zstd) put_varint(out, frame.prefix ? index - *frame.prefix : 0);
  put_fixed64(out, frame.checksum);
  put_varint(out, frame.count);
  if (frame.type == FrameType::recipe || frame.type == FrameType::externals) put_varint(out, frame.lists);
}

FrameEntry read_frame(ByteReader& reader, const std::vector<FrameEntry>& before) {
  FrameEntry frame;
  const std::uint8_t head = reader.byte();
  const int type = head & 15;
  const int codec = head >> 4;
  if (type < static_cast<int>(FrameType::content) || type > static_cast<int>(FrameType::recipe_index)) reader.fail();
  if (codec > static_cast<int>(FrameCodec::deflate)) reader.fail();
  frame.type = static_cast<FrameType>(type);
  frame.codec = static_cast<FrameCodec>(codec);
  frame.stored_size = reader.varint_up_to(2 * kMaxFrameSize);
  frame.raw_size = frame.codec == FrameCodec::stored ? frame.stored_size : reader.varint_up_to(kMaxFrameSize);
  if (frame.codec == FrameCodec::zstd) {
    const std::uint64_t back = reader.varint_up_to(before.size());
    if (reader.ok() && back > 0) {
      frame.prefix = static_cast<std::uint32_t>(before.size() - back);
      const FrameEntry& root = before[*frame.prefix];
      if (root.prefix || root.type != frame.type) reader.fail();
    }
  }
  frame.checksum = reader.fixed64();
  frame.count = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  if (frame.type == FrameType::recipe || frame.type == FrameType::externals) {
    frame.lists = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  }
  // Nothing takes less than a byte, so that nobody makes room for what cannot be there.
  if (std::uint64_t{frame.count} + frame.lists > frame.raw_size) reader.fail();
  return frame;
}

// Numbers the frame's objects after those before it. False where a total would not fit its type.
bool count_frame(PackDirectory& directory, FrameEntry& frame) {
  const auto take = [](std::uint32_t& total, std::uint32_t count, std::uint32_t& first) {
    first = total;
    if (count > UINT32_MAX - total) return false;
    total += count;
    return true;
  };
  switch (frame.type) {
    case FrameType::content:
      return take(directory.contents, frame.count, frame.first);
    case FrameType::metadata:
      return take(directory.metadata, frame.count, frame.first);
    case FrameType::recipe:
      return take(directory.versions, frame.count, frame.first) && take(directory.lists, frame.lists, frame.first_list);
    case FrameType::externals:
      return take(directory.external_contents, frame.count, frame.first) &&
             take(directory.external_lists, frame.lists, frame.first_list);
    case FrameType::versions:
    case FrameType::content_index:
    case FrameType::recipe_index:
      return true;
  }
  return false;
}

std::uint64_t sum_of(const std::vector<NumberRun>& runs) {
  std::uint64_t sum = 0;
  for (const NumberRun& run : runs) sum += run.length;
  return sum;
}

}  // namespace

Bytes encode_directory(const PackDirectory& directory) {
  Bytes out;
  out.push_back(static_cast<char>(kDirectoryVersion));
  put_types(out, directory.types);
  put_runs(out, directory.version_numbers);
  put_runs(out, directory.metadata_numbers);
  put_varint(out, directory.frames.size());
  for (std::size_t i = 0; i < directory.frames.size(); ++i) {
    put_frame(out, directory.frames[i], static_cast<std::uint32_t>(i));
  }
  return out;
}

Result<PackDirectory> decode_directory(ByteView bytes, std::uint64_t end) {
  ByteReader reader(bytes);
  const std::uint8_t version = reader.byte();
  if (reader.ok() && version > kDirectoryVersion) {
    return Error{ErrorCode::unsupported, "the pack was made by a newer blockarch: use that one to read it"};
  }
  PackDirectory directory;
  directory.types = read_types(reader);
  directory.version_numbers = read_runs(reader);
  directory.metadata_numbers = read_runs(reader);
  const std::uint64_t count = reader.varint_up_to(reader.rest().size());
  std::uint64_t offset = kPackMagicSize;
  std::uint64_t listed = 0;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    FrameEntry frame = read_frame(reader, directory.frames);
    frame.offset = offset;
    offset += frame.stored_size;
    if (offset > end || !count_frame(directory, frame)) reader.fail();
    if (frame.type == FrameType::versions) {
      frame.first = static_cast<std::uint32_t>(listed);
      listed += frame.count;
    }
    directory.frames.push_back(frame);
  }
  BA_TRY(reader.finish("the directory of a pack"));
  const bool complete = version == kDirectoryVersion && offset == end && listed == directory.versions &&
                        sum_of(directory.version_numbers) == directory.versions &&
                        sum_of(directory.metadata_numbers) == directory.metadata;
  if (!complete) return Error{ErrorCode::corrupt, "the directory of a pack does not fit its frames"};
  return directory;
}

void add_to_runs(std::vector<NumberRun>& runs, std::uint32_t number, std::uint32_t ordinal) {
  if (!runs.empty() && runs.back().number + runs.back().length == number) {
    ++runs.back().length;
  } else {
    runs.push_back({number, ordinal, 1});
  }
}

}  // namespace blockarch
