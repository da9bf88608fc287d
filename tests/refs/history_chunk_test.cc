#include "refs/history_chunk.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "base/coding.h"
#include "refs/sealed.h"

using namespace blockarch;

namespace {

void check_round_trip(const ChunkKey& key, const std::vector<Observation>& observations) {
  const Bytes encoded_key = encode_chunk_key(key);
  CHECK(decode_chunk_key(encoded_key).value() == key);
  CHECK(decode_chunk(encoded_key, encode_chunk(key, observations)).value() == observations);
}

}  // namespace

TEST_CASE("a chunk of observations comes back as it was") {
  const Time t = Time::from_seconds(1'700'000'000);
  check_round_trip({{3}, t, 0}, {{t, {7}, {}}});
  check_round_trip({{3}, t, 5}, {{t, {7}, {}}, {t, {0}, MetadataNumber{9}}, {{t.micros + 1}, {4'000'000'000u}, {}}});
  check_round_trip({{0}, Time::min(), 0}, {{Time::min(), {1}, {}}, {Time::max(), {2}, MetadataNumber{0}}});
}

TEST_CASE("random chunks come back as they were") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    Time t{static_cast<std::int64_t>(random() % 4'000'000'000'000'000) - 2'000'000'000'000'000};
    const ChunkKey key{{static_cast<std::uint32_t>(random())}, t, static_cast<std::uint32_t>(random() % 5)};
    std::vector<Observation> all;
    const std::size_t count = 1 + random() % kMaxChunkObservations;
    const std::int64_t unit = round % 2 ? 1'000'000 : 1;
    while (all.size() < count) {
      Observation o{t, {static_cast<std::uint32_t>(random() >> (32 + random() % 32))}, {}};
      if (random() % 3 == 0) o.metadata = MetadataNumber{static_cast<std::uint32_t>(random() % 1000)};
      all.push_back(o);
      t.micros += static_cast<std::int64_t>(random() % 100'000) * unit;
    }
    check_round_trip(key, all);
  }
}

TEST_CASE("an unchanged daily capture costs four bytes or fewer") {
  const Time t = Time::from_seconds(1'700'000'000);
  std::vector<Observation> all;
  for (int i = 0; i < 60; ++i) all.push_back({{t.micros + i * 86'400'000'000}, {12345}, {}});
  CHECK(encode_chunk({{1}, t, 0}, all).size() <= 60 * 4 + 10);
}

TEST_CASE("chunk keys sort by URL, then time, then rank") {
  const auto key = [](std::uint32_t url, std::int64_t time, std::uint32_t rank) {
    return encode_chunk_key({{url}, {time}, rank});
  };
  CHECK(key(1, 5, 9) < key(2, -5, 0));
  CHECK(key(1, -5, 9) < key(1, 5, 0));
  CHECK(key(1, 5, 0) < key(1, 5, 1));
}

TEST_CASE("a chunk whose seal is right but whose numbers are not is refused") {
  const ChunkKey key{{1}, Time::from_seconds(0), 0};
  const Bytes encoded_key = encode_chunk_key(key);
  const auto refused = [&](const Bytes& body) {
    return decode_chunk(encoded_key, seal(encoded_key, body)).has_value() == false;
  };
  CHECK(refused(Bytes("\x00\x00", 2)));              // no observation
  CHECK(refused(Bytes("\x02\x01\x00\x00", 4)));      // unknown unit
  CHECK(refused(Bytes("\x01\x01\x05\x00", 4)));      // first step is not zero
  CHECK(refused(Bytes("\x01\x01\x00\x02", 4)));      // version number below zero
  CHECK(refused(Bytes("\x01\x02\x00\x00", 4)));      // truncated
  CHECK(refused(Bytes("\x01\x41\x00\x00", 4)));      // more than a chunk may hold
  CHECK(refused(Bytes("\x01\x01\x00\x00\x00", 5)));  // a byte too many
}
