#include "segment/chunker.h"

#include <algorithm>
#include <random>
#include <set>

#include "tests/segment/segment_checks.h"

using namespace blockarch;

namespace {

std::string random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

void require_cover(ByteView bytes, const ChunkSizes& sizes) {
  std::uint64_t begin = 0;
  const std::vector<std::uint64_t> ends = chunk_ends(bytes, sizes);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    REQUIRE(ends[i] > begin);
    REQUIRE(ends[i] - begin <= sizes.maximum);
    if (i + 1 < ends.size()) REQUIRE(ends[i] - begin >= sizes.minimum);
    begin = ends[i];
  }
  REQUIRE(begin == bytes.size());
}

std::multiset<std::string> chunks(const std::string& bytes) {
  std::multiset<std::string> all;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : chunk_ends(bytes, chunk_sizes_for(bytes.size()))) {
    all.insert(bytes.substr(begin, end - begin));
    begin = end;
  }
  return all;
}

// How many of `after` are not in `before`.
std::size_t count_new(const std::multiset<std::string>& before, const std::multiset<std::string>& after) {
  return static_cast<std::size_t>(
      std::count_if(after.begin(), after.end(), [&](const std::string& chunk) { return !before.contains(chunk); }));
}

}  // namespace

TEST_CASE("chunks cover all bytes and keep to their sizes") {
  for (const std::size_t size : {0u, 1u, 255u, 256u, 257u, 1024u, 8191u, 8192u, 8193u, 300000u}) {
    require_cover(random_bytes(size, 1), chunk_sizes_for(size));
    require_cover(std::string(size, 'a'), chunk_sizes_for(size));
    require_cover(repeat("abc\n", size / 4), {64, 256, 1024});
  }
  CHECK(chunk_ends("", chunk_sizes_for(0)).empty());
}

TEST_CASE("the average of random bytes is near what was asked for") {
  for (const std::uint32_t average : {512u, 1024u, 4096u}) {
    const std::string bytes = random_bytes(2 << 20, 2);
    const std::size_t count = chunk_ends(bytes, {average / 4, average, average * 8}).size();
    const double mean = static_cast<double>(bytes.size()) / static_cast<double>(count);
    CHECK(mean > average * 0.75);
    CHECK(mean < average * 1.5);
  }
}

TEST_CASE("chunk ends depend on the bytes alone and never change") {
  const std::string bytes = sentences(7, 1500);
  const std::vector<std::uint64_t> ends = chunk_ends(bytes, chunk_sizes_for(bytes.size()));
  REQUIRE(ends.size() > 4);
  // Written down once: archives lose deduplication when these move.
  CHECK(std::vector<std::uint64_t>(ends.begin(), ends.begin() + 4) ==
        std::vector<std::uint64_t>{1200, 2294, 3946, 5393});
}

TEST_CASE("an insertion, a deletion or a change costs a few chunks") {
  const std::string before = random_bytes(200000, 3);
  std::string inserted = before;
  inserted.insert(100000, "a few more bytes");
  std::string deleted = before;
  deleted.erase(50000, 700);
  std::string changed = before;
  changed[150000] ^= 1;
  const std::multiset<std::string> old = chunks(before);
  REQUIRE(old.size() > 100);
  CHECK(count_new(old, chunks(inserted)) <= 4);
  CHECK(count_new(old, chunks(deleted)) <= 4);
  CHECK(count_new(old, chunks(changed)) <= 4);
}

TEST_CASE("averages grow with what is cut, so that a large file does not become millions of objects") {
  std::uint32_t before = 0;
  for (const std::uint64_t total :
       {std::uint64_t{1} << 10, std::uint64_t{2} << 20, std::uint64_t{20} << 20, std::uint64_t{400} << 20}) {
    const ChunkSizes sizes = chunk_sizes_for(total);
    CHECK(sizes.minimum < sizes.average);
    CHECK(sizes.average < sizes.maximum);
    CHECK((sizes.average & (sizes.average - 1)) == 0);
    CHECK(sizes.average > before);
    CHECK(total / sizes.average < 10000);
    before = sizes.average;
  }
}
