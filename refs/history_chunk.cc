#include "refs/history_chunk.h"

#include <algorithm>
#include <cassert>

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
// Units of the time steps in a chunk: whole seconds where every step is one, which is what nearly all captures have.
constexpr std::uint8_t kUnitMicros = 0;
constexpr std::uint8_t kUnitSeconds = 1;

bool all_steps_in_seconds(const std::vector<Observation>& observations) {
  const std::int64_t first = observations.front().time.micros;
  return std::all_of(observations.begin(), observations.end(),
                     [&](const Observation& o) { return (o.time.micros - first) % kSecond == 0; });
}

}  // namespace

Bytes encode_chunk_key(const ChunkKey& key) {
  Bytes out;
  put_fixed32(out, key.url.value);
  put_fixed64(out, order_preserving(key.first.micros));
  put_fixed32(out, key.rank);
  return out;
}

Result<ChunkKey> decode_chunk_key(ByteView bytes) {
  ByteReader reader(bytes);
  ChunkKey key;
  key.url.value = reader.fixed32();
  key.first.micros = from_order_preserving(reader.fixed64());
  key.rank = reader.fixed32();
  if (key.first < Time::min() || key.first > Time::max()) reader.fail();
  BA_TRY(reader.finish("a key of table history"));
  return key;
}

Bytes encode_chunk(const ChunkKey& key, const std::vector<Observation>& observations) {
  assert(!observations.empty() && observations.front().time == key.first);
  const std::uint8_t unit = all_steps_in_seconds(observations) ? kUnitSeconds : kUnitMicros;
  const std::int64_t divisor = unit == kUnitSeconds ? kSecond : 1;
  Bytes out;
  out.push_back(static_cast<char>(unit));
  put_varint(out, observations.size());
  Observation before{key.first, {0}, MetadataNumber{0}};
  for (const Observation& o : observations) {
    put_varint(out, static_cast<std::uint64_t>((o.time.micros - before.time.micros) / divisor));
    const std::int64_t step = static_cast<std::int64_t>(o.version.value) - before.version.value;
    const std::uint64_t zigzag = static_cast<std::uint64_t>(step) << 1 ^ static_cast<std::uint64_t>(step >> 63);
    put_varint(out, zigzag << 1 | (o.metadata ? 1 : 0));
    if (o.metadata) put_zigzag(out, static_cast<std::int64_t>(o.metadata->value) - before.metadata->value);
    before = {o.time, o.version, o.metadata ? o.metadata : before.metadata};
  }
  return seal(encode_chunk_key(key), std::move(out));
}

Result<std::vector<Observation>> decode_chunk(ByteView key, ByteView value) {
  BA_ASSIGN(const ChunkKey place, decode_chunk_key(key));
  BA_ASSIGN(const ByteView body, unseal(key, value, "history"));
  ByteReader reader(body);
  const std::uint8_t unit = reader.byte();
  const std::uint64_t divisor = unit == kUnitSeconds ? kSecond : 1;
  const std::uint64_t count = reader.varint_up_to(kMaxChunkObservations);
  if (unit > kUnitSeconds || count == 0) reader.fail();
  const auto span = static_cast<std::uint64_t>(Time::max().micros - Time::min().micros);
  std::vector<Observation> observations;
  observations.reserve(count);
  Observation before{place.first, {0}, MetadataNumber{0}};
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    Observation o;
    const std::uint64_t step = reader.varint_up_to(span / divisor) * divisor;
    o.time.micros = before.time.micros + static_cast<std::int64_t>(step);
    const std::uint64_t head = reader.varint();
    const std::uint64_t zigzag = head >> 1;
    const std::int64_t version =
        before.version.value + (static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1));
    o.version.value = static_cast<std::uint32_t>(version);
    if (head & 1) o.metadata = MetadataNumber{static_cast<std::uint32_t>(before.metadata->value + reader.zigzag())};
    if (version < 0 || version > UINT32_MAX || o.time > Time::max() || (i == 0 && o.time != place.first)) reader.fail();
    observations.push_back(o);
    before = {o.time, o.version, o.metadata ? o.metadata : before.metadata};
  }
  BA_TRY(reader.finish("an entry of table history"));
  return observations;
}

}  // namespace blockarch
