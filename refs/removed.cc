#include "refs/removed.h"

#include <algorithm>

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

constexpr char kName[] = "removed";
constexpr std::uint64_t kMaxUrl = 1 << 20;
constexpr std::uint64_t kMaxUrlMetadata = 2 << 20;

}  // namespace

Bytes encode_removed_key(Time when, std::uint32_t order) {
  Bytes key;
  put_fixed64(key, order_preserving(when.micros));
  put_fixed32(key, order);
  return key;
}

Bytes encode_removed(ByteView key, const Removed& removed) {
  Bytes body;
  put_string(body, removed.url);
  put_string(body, removed.url_metadata.empty() ? Bytes() : encode_metadata(removed.url_metadata));
  put_varint(body, removed.observations.size());
  std::int64_t time = 0;
  for (const Observation& o : removed.observations) {
    put_zigzag(body, o.time.micros - time);
    put_varint(body, o.version.value);
    put_varint(body, o.metadata ? std::uint64_t{o.metadata->value} + 1 : 0);
    time = o.time.micros;
  }
  return seal(key, std::move(body));
}

Result<Removed> decode_removed(ByteView key, ByteView value) {
  Removed removed;
  ByteReader place(key);
  removed.when.micros = from_order_preserving(place.fixed64());
  removed.order = place.fixed32();
  BA_TRY(place.finish("a key of table removed"));
  BA_ASSIGN(const ByteView body, unseal(key, value, kName));
  ByteReader reader(body);
  removed.url = reader.string(kMaxUrl);
  const ByteView metadata = reader.string(kMaxUrlMetadata);
  const std::uint64_t count = reader.varint_up_to(kMaxRemovedObservations);
  std::int64_t time = 0;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    const std::int64_t step = reader.zigzag();
    const auto span = Time::max().micros - Time::min().micros;
    if (step < -span || step > span) reader.fail();
    time += reader.ok() ? step : 0;
    Observation o{Time{time}, {static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX))}, {}};
    const std::uint64_t with = reader.varint_up_to(std::uint64_t{UINT32_MAX} + 1);
    if (with > 0) o.metadata = MetadataNumber{static_cast<std::uint32_t>(with - 1)};
    if (o.time < Time::min() || o.time > Time::max()) reader.fail();
    removed.observations.push_back(o);
  }
  BA_TRY(reader.finish("an entry of table removed"));
  if (!metadata.empty()) {
    BA_ASSIGN(removed.url_metadata, decode_metadata(metadata));
  }
  return removed;
}

Result<void> add_removed(WriteTransaction& transaction, const Tables& tables, const Removed& removed) {
  std::uint32_t order = 0;
  {
    BA_ASSIGN(Cursor cursor, transaction.cursor(tables.removed));
    BA_ASSIGN(const auto last, cursor.seek_back(encode_removed_key(removed.when, UINT32_MAX)));
    if (last) {
      BA_ASSIGN(const Removed before, decode_removed(last->key, last->value));
      if (before.when == removed.when) order = before.order + 1;
    }
  }
  for (std::size_t at = 0; at < removed.observations.size(); at += kMaxRemovedObservations) {
    Removed part{removed.when, order, removed.url, removed.url_metadata, {}};
    const std::size_t end = std::min(at + kMaxRemovedObservations, removed.observations.size());
    part.observations.assign(removed.observations.begin() + static_cast<std::ptrdiff_t>(at),
                             removed.observations.begin() + static_cast<std::ptrdiff_t>(end));
    const Bytes key = encode_removed_key(part.when, order++);
    BA_TRY(transaction.put(tables.removed, key, encode_removed(key, part)));
  }
  return {};
}

Result<void> each_removed(const ReadTransaction& transaction, const Tables& tables,
                          const std::function<Result<void>(const Removed&)>& each) {
  if (tables.removed.handle == 0) return {};
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.removed));
  BA_ASSIGN(auto entry, cursor.first());
  while (entry) {
    BA_ASSIGN(const Removed removed, decode_removed(entry->key, entry->value));
    BA_TRY(each(removed));
    BA_ASSIGN(entry, cursor.next());
  }
  return {};
}

Result<void> erase_removed(WriteTransaction& transaction, const Tables& tables, const Removed& removed) {
  BA_TRY(transaction.erase(tables.removed, encode_removed_key(removed.when, removed.order)));
  return {};
}

}  // namespace blockarch
