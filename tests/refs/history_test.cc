#include "refs/history.h"

#include <algorithm>
#include <random>

#include "tests/support/hot_file.h"

using namespace blockarch;

namespace {

Time at(std::int64_t second) {
  return Time::from_seconds(second);
}

void insert(HotFile& hot, UrlNumber url, const std::vector<Observation>& observations) {
  hot.write([&](WriteTransaction& t) -> Result<void> {
    for (const Observation& o : observations) BA_TRY(insert_observation(t, hot.tables, url, o));
    return {};
  });
}

std::vector<Observation> read_all(HotFile& hot, UrlNumber url) {
  const auto read = hot.lmdb.read();
  auto cursor = HistoryCursor::open(*read, hot.tables, url);
  std::vector<Observation> all;
  for (auto o = cursor->first().value(); o; o = cursor->next().value()) all.push_back(*o);
  std::vector<Observation> back;
  for (auto o = cursor->last().value(); o; o = cursor->previous().value()) back.push_back(*o);
  std::reverse(back.begin(), back.end());
  CHECK(back == all);
  CHECK(count_observations(*read, hot.tables, url).value() == all.size());
  return all;
}

std::vector<Observation> in_time_order(std::vector<Observation> all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return all;
}

}  // namespace

TEST_CASE("an empty history has nothing anywhere") {
  HotFile hot;
  const auto read = hot.lmdb.read();
  auto cursor = HistoryCursor::open(*read, hot.tables, UrlNumber{1});
  CHECK_FALSE(cursor->first().value());
  CHECK_FALSE(cursor->last().value());
  CHECK_FALSE(cursor->as_of(at(0)).value());
  CHECK_FALSE(cursor->after(at(0)).value());
}

TEST_CASE("as-of answers on either side of every boundary, in any order of arrival") {
  for (const char* order : {"forward", "backward", "shuffled"}) {
    INFO(order);
    HotFile hot;
    std::vector<Observation> all;
    for (std::uint32_t i = 0; i < 1000; ++i) all.push_back({at(i * 10), {i}, {}});
    std::vector<Observation> arrival = all;
    if (order[0] == 'b') std::reverse(arrival.begin(), arrival.end());
    if (order[0] == 's') std::shuffle(arrival.begin(), arrival.end(), std::mt19937(3));
    // A neighbour on either side must never be seen from this URL.
    insert(hot, {4}, {{at(5), {900}, {}}});
    insert(hot, {6}, {{at(5), {901}, {}}});
    for (std::size_t i = 0; i < arrival.size(); i += 250) {
      insert(
          hot, {5},
          {arrival.begin() + static_cast<std::ptrdiff_t>(i), arrival.begin() + static_cast<std::ptrdiff_t>(i) + 250});
    }
    REQUIRE(read_all(hot, {5}) == all);

    const auto read = hot.lmdb.read();
    auto cursor = HistoryCursor::open(*read, hot.tables, UrlNumber{5});
    CHECK_FALSE(cursor->as_of({at(0).micros - 1}).value());
    for (std::uint32_t i = 0; i < 1000; ++i) {
      CHECK(cursor->as_of(at(i * 10)).value()->version.value == i);
      CHECK(cursor->as_of({at(i * 10 + 10).micros - 1}).value()->version.value == i);
      CHECK(cursor->after({at(i * 10).micros - 1}).value()->version.value == i);
      const auto next = cursor->after(at(i * 10)).value();
      CHECK(next.has_value() == (i < 999));
      if (next) CHECK(next->version.value == i + 1);
    }
  }
}

TEST_CASE("observations of one time keep their order of arrival and as-of gives the last") {
  HotFile hot;
  std::vector<Observation> all;
  std::mt19937 random(11);
  for (std::uint32_t i = 0; i < 1500; ++i) all.push_back({at(random() % 7), {i}, {}});
  for (const Observation& o : all) insert(hot, {1}, {o});
  const auto sorted = in_time_order(all);
  REQUIRE(read_all(hot, {1}) == sorted);
  const auto read = hot.lmdb.read();
  auto cursor = HistoryCursor::open(*read, hot.tables, UrlNumber{1});
  for (int t = 0; t < 7; ++t) {
    const auto last = std::find_if(sorted.rbegin(), sorted.rend(), [&](const auto& o) { return o.time == at(t); });
    CHECK(cursor->as_of(at(t)).value() == *last);
    CHECK(has_observation(*read, hot.tables, {1}, at(t), last->version).value());
    CHECK_FALSE(has_observation(*read, hot.tables, {1}, at(t), {99999}).value());
  }
}

TEST_CASE("random histories of several URLs stay apart and in order") {
  HotFile hot;
  std::mt19937 generator(5);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  std::vector<std::vector<Observation>> model(4);
  for (int round = 0; round < 60; ++round) {
    hot.write([&](WriteTransaction& t) -> Result<void> {
      for (int i = 0; i < 50; ++i) {
        const std::uint32_t url = random() % 4;
        Observation o{{static_cast<std::int64_t>(random() % 3000) * 500'000}, {random() % 100}, {}};
        if (random() % 4 == 0) o.metadata = MetadataNumber{random() % 50};
        BA_TRY(insert_observation(t, hot.tables, {url}, o));
        model[url].push_back(o);
      }
      return {};
    });
  }
  for (std::uint32_t url = 0; url < 4; ++url) CHECK(read_all(hot, {url}) == in_time_order(model[url]));
}

TEST_CASE("a back-dated insertion touches a bounded number of chunks, however long the history") {
  HotFile hot;
  std::vector<Observation> all;
  for (std::uint32_t i = 0; i < 50'000; ++i) all.push_back({at(i * 10), {i}, {}});
  insert(hot, {1}, all);
  const auto entries = [&] {
    std::vector<std::pair<Bytes, Bytes>> found;
    const auto read = hot.lmdb.read();
    auto cursor = read->cursor(hot.tables.history);
    for (auto e = cursor->first().value(); e; e = cursor->next().value()) found.emplace_back(e->key, e->value);
    return found;
  };
  const auto before = entries();
  // Appending fills chunks to the brim.
  CHECK(before.size() == (50'000 + kMaxChunkObservations - 1) / kMaxChunkObservations);
  insert(hot, {1}, {{at(123'455), {7}, {}}});
  const auto after = entries();
  std::size_t changed = 0;
  for (const auto& entry : after) changed += !std::binary_search(before.begin(), before.end(), entry);
  CHECK(changed <= 2);
}

TEST_CASE("a damaged chunk is an error, never another answer") {
  HotFile hot;
  insert(hot, {1}, {{at(10), {1}, {}}, {at(20), {2}, {}}});
  hot.write([&](WriteTransaction& t) -> Result<void> {
    const Bytes key = encode_chunk_key({{1}, at(10), 0});
    BA_ASSIGN(const auto value, t.get(hot.tables.history, key));
    Bytes changed(*value);
    changed[3] = static_cast<char>(changed[3] ^ 4);
    return t.put(hot.tables.history, key, changed);
  });
  const auto read = hot.lmdb.read();
  auto cursor = HistoryCursor::open(*read, hot.tables, UrlNumber{1});
  CHECK(cursor->as_of(at(15)).error().code == ErrorCode::corrupt);
  CHECK(cursor->first().error().code == ErrorCode::corrupt);
}
