// 1. Chunks of a URL do not overlap: the last observation of one is not later than the first of the next.
// 2. A chunk's key is its first observation's place, so a look-up is one seek.
// 3. Observations of equal time stay in order of arrival: a new one goes after all of its time.
#include "refs/history.h"

#include <algorithm>

namespace blockarch {
namespace {

// What finds every chunk that begins at or before t.
Bytes key_up_to(UrlNumber url, Time t) {
  return encode_chunk_key({url, t, UINT32_MAX});
}

struct Chunk {
  ChunkKey key;
  std::vector<Observation> observations;
};

Result<std::optional<Chunk>> read_chunk(const std::optional<KeyValue>& entry, UrlNumber url) {
  if (!entry) return std::optional<Chunk>();
  BA_ASSIGN(const ChunkKey key, decode_chunk_key(entry->key));
  if (key.url != url) return std::optional<Chunk>();
  BA_ASSIGN(auto observations, decode_chunk(entry->key, entry->value));
  return std::optional<Chunk>(Chunk{key, std::move(observations)});
}

// The chunk that an observation at t belongs to: the last one that begins at or before t, else the first of all.
Result<std::optional<Chunk>> chunk_for(const ReadTransaction& transaction, const Tables& tables, UrlNumber url,
                                       Time t) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.history));
  BA_ASSIGN(const auto at_or_before, cursor.seek_back(key_up_to(url, t)));
  BA_ASSIGN(auto chunk, read_chunk(at_or_before, url));
  if (chunk) return chunk;
  BA_ASSIGN(const auto after, cursor.seek(key_up_to(url, t)));
  return read_chunk(after, url);
}

// How many observations of the time at `position` stand before it.
std::uint32_t rank_at(const Chunk& chunk, std::size_t position) {
  const Time t = chunk.observations[position].time;
  std::size_t first = position;
  while (first > 0 && chunk.observations[first - 1].time == t) --first;
  const std::uint32_t before_chunk = first == 0 && t == chunk.key.first ? chunk.key.rank : 0;
  return before_chunk + static_cast<std::uint32_t>(position - first);
}

Result<void> put_chunk(WriteTransaction& transaction, const Tables& tables, const Chunk& chunk) {
  return transaction.put(tables.history, encode_chunk_key(chunk.key), encode_chunk(chunk.key, chunk.observations));
}

// Histories grow at their ends: a chunk that overflows there stays full and the new observation starts another one;
// only an insertion in the middle halves a chunk.
std::size_t split_point(const Chunk& chunk, std::size_t inserted) {
  if (inserted + 1 == chunk.observations.size()) return inserted;
  if (inserted == 0) return 1;
  return chunk.observations.size() / 2;
}

}  // namespace

Result<HistoryCursor> HistoryCursor::open(const ReadTransaction& transaction, const Tables& tables, UrlNumber url) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.history));
  return HistoryCursor(std::move(cursor), url);
}

Result<bool> HistoryCursor::load(const std::optional<KeyValue>& entry) {
  BA_ASSIGN(auto chunk, read_chunk(entry, url_));
  chunk_.clear();
  if (chunk) chunk_ = std::move(chunk->observations);
  return !chunk_.empty();
}

Result<std::optional<Observation>> HistoryCursor::stand_at(std::size_t position) {
  position_ = position;
  return std::optional<Observation>(chunk_[position]);
}

Result<std::optional<Observation>> HistoryCursor::first() {
  BA_ASSIGN(const auto entry, cursor_.seek(encode_chunk_key({url_, Time{INT64_MIN}, 0})));
  BA_ASSIGN(const bool found, load(entry));
  if (!found) return std::optional<Observation>();
  return stand_at(0);
}

Result<std::optional<Observation>> HistoryCursor::last() {
  return as_of(Time::max());
}

Result<std::optional<Observation>> HistoryCursor::as_of(Time t) {
  BA_ASSIGN(const auto entry, cursor_.seek_back(key_up_to(url_, t)));
  BA_ASSIGN(const bool found, load(entry));
  if (!found) return std::optional<Observation>();
  const auto later =
      std::upper_bound(chunk_.begin(), chunk_.end(), t, [](Time x, const Observation& o) { return x < o.time; });
  return stand_at(static_cast<std::size_t>(later - chunk_.begin()) - 1);
}

Result<std::optional<Observation>> HistoryCursor::after(Time t) {
  BA_ASSIGN(const auto before, as_of(t));
  return before ? next() : first();
}

Result<std::optional<Observation>> HistoryCursor::next() {
  if (position_ + 1 < chunk_.size()) return stand_at(position_ + 1);
  BA_ASSIGN(const auto entry, cursor_.next());
  BA_ASSIGN(const bool found, load(entry));
  if (!found) return std::optional<Observation>();
  return stand_at(0);
}

Result<std::optional<Observation>> HistoryCursor::previous() {
  if (position_ > 0) return stand_at(position_ - 1);
  BA_ASSIGN(const auto entry, cursor_.previous());
  BA_ASSIGN(const bool found, load(entry));
  if (!found) return std::optional<Observation>();
  return stand_at(chunk_.size() - 1);
}

Result<bool> has_observation(const ReadTransaction& transaction, const Tables& tables, UrlNumber url, Time time,
                             VersionNumber version) {
  BA_ASSIGN(HistoryCursor cursor, HistoryCursor::open(transaction, tables, url));
  BA_ASSIGN(auto at, cursor.as_of(time));
  while (at && at->time == time) {
    if (at->version == version) return true;
    BA_ASSIGN(at, cursor.previous());
  }
  return false;
}

Result<void> insert_observation(WriteTransaction& transaction, const Tables& tables, UrlNumber url,
                                const Observation& observation) {
  BA_ASSIGN(auto found, chunk_for(transaction, tables, url, observation.time));
  if (!found) {
    return put_chunk(transaction, tables, {{url, observation.time, 0}, {observation}});
  }
  Chunk chunk = std::move(*found);
  auto& all = chunk.observations;
  const auto place = std::upper_bound(all.begin(), all.end(), observation.time,
                                      [](Time x, const Observation& o) { return x < o.time; });
  const auto inserted = static_cast<std::size_t>(place - all.begin());
  all.insert(place, observation);
  if (inserted == 0) {
    // Earlier than everything: the chunk gets a new key.
    BA_ASSIGN(const bool erased, transaction.erase(tables.history, encode_chunk_key(chunk.key)));
    if (!erased) return Error{ErrorCode::corrupt, "table history lost a chunk while it was written"};
    chunk.key = {url, observation.time, 0};
  }
  if (all.size() > kMaxChunkObservations) {
    const std::size_t at = split_point(chunk, inserted);
    Chunk second{{url, all[at].time, rank_at(chunk, at)}, {all.begin() + static_cast<std::ptrdiff_t>(at), all.end()}};
    all.resize(at);
    BA_TRY(put_chunk(transaction, tables, second));
  }
  return put_chunk(transaction, tables, chunk);
}

Result<std::vector<Observation>> all_observations(const ReadTransaction& transaction, const Tables& tables,
                                                  UrlNumber url) {
  std::vector<Observation> all;
  BA_ASSIGN(HistoryCursor history, HistoryCursor::open(transaction, tables, url));
  BA_ASSIGN(auto observation, history.first());
  while (observation) {
    all.push_back(*observation);
    BA_ASSIGN(observation, history.next());
  }
  return all;
}

Result<void> replace_history(WriteTransaction& transaction, const Tables& tables, UrlNumber url,
                             const std::vector<Observation>& observations) {
  std::vector<Bytes> keys;
  {
    BA_ASSIGN(Cursor cursor, transaction.cursor(tables.history));
    BA_ASSIGN(auto entry, cursor.seek(encode_chunk_key({url, Time{INT64_MIN}, 0})));
    while (entry) {
      BA_ASSIGN(const ChunkKey key, decode_chunk_key(entry->key));
      if (key.url != url) break;
      keys.emplace_back(entry->key);
      BA_ASSIGN(entry, cursor.next());
    }
  }
  for (const Bytes& key : keys) BA_TRY(transaction.erase(tables.history, key));
  std::uint32_t rank = 0;
  for (std::size_t at = 0; at < observations.size(); at += kMaxChunkObservations) {
    const auto begin = observations.begin() + static_cast<std::ptrdiff_t>(at);
    const auto count = std::min(kMaxChunkObservations, observations.size() - at);
    // How many of the same time stand before the chunk.
    rank = 0;
    for (std::size_t i = at; i > 0 && observations[i - 1].time == begin->time; --i) ++rank;
    BA_TRY(put_chunk(transaction, tables,
                     {{url, begin->time, rank}, {begin, begin + static_cast<std::ptrdiff_t>(count)}}));
  }
  return {};
}

Result<std::uint64_t> count_observations(const ReadTransaction& transaction, const Tables& tables, UrlNumber url) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.history));
  BA_ASSIGN(auto entry, cursor.seek(encode_chunk_key({url, Time{INT64_MIN}, 0})));
  std::uint64_t count = 0;
  while (entry) {
    BA_ASSIGN(const auto chunk, read_chunk(entry, url));
    if (!chunk) break;
    count += chunk->observations.size();
    BA_ASSIGN(entry, cursor.next());
  }
  return count;
}

}  // namespace blockarch
