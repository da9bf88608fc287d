#include "pack/id_index.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <string>

using namespace blockarch;

namespace {

Hash256 id(int n) {
  return blake3("id " + std::to_string(n));
}

struct Index {
  std::vector<IndexReader> parts;
  std::uint64_t total = 0;

  std::vector<std::uint32_t> find(std::uint64_t head, int bits = 64) const {
    std::vector<std::uint32_t> found;
    for (const IndexReader& part : parts) part.find(head, bits, found);
    return found;
  }
};

Index make(int entries, std::uint32_t values) {
  std::vector<IndexEntry> list;
  for (int i = 0; i < entries; ++i) list.push_back({head_of(id(i)), static_cast<std::uint32_t>(i) % values});
  Index index;
  index.total = list.size();
  std::uint32_t n = 0;
  for (const IndexPart& part : encode_index(list, values)) {
    index.parts.push_back(IndexReader::parse(part.bytes, n++, part.entries, index.total, values).value());
  }
  return index;
}

}  // namespace

TEST_CASE("an index finds every id under its value") {
  const int entries = GENERATE(1, 2, 31, 32, 33, 1000, 70'000);
  const std::uint32_t values = GENERATE(1U, 2U, 7U, 100'000U);
  const Index index = make(entries, values);
  for (int i = 0; i < entries; i += 1 + entries / 500) {
    const auto found = index.find(head_of(id(i)));
    CHECK(std::find(found.begin(), found.end(), static_cast<std::uint32_t>(i) % values) != found.end());
  }
}

TEST_CASE("an id that is not there seems to be, once in a thousand times") {
  const Index index = make(50'000, 90);
  int wrong = 0;
  for (int i = 0; i < 20'000; ++i) wrong += index.find(head_of(id(1'000'000 + i))).empty() ? 0 : 1;
  CHECK(wrong < 20'000 / 400);
}

TEST_CASE("an index costs three bytes an entry") {
  std::vector<IndexEntry> list;
  for (int i = 0; i < 100'000; ++i) list.push_back({head_of(id(i)), static_cast<std::uint32_t>(i % 100)});
  std::size_t bytes = 0;
  for (const IndexPart& part : encode_index(list, 100)) bytes += part.bytes.size();
  CHECK(bytes < 300'000);
}

TEST_CASE("a prefix of an id finds all that begin with it") {
  const Index index = make(5000, 5000);
  const std::uint64_t head = head_of(id(17));
  const auto found = index.find(head, 8);
  std::size_t expected = 0;
  for (int i = 0; i < 5000; ++i) expected += head_of(id(i)) >> 56 == head >> 56 ? 1 : 0;
  CHECK(found.size() == expected);
  CHECK(index.find(0, 0).size() == 5000);
}

TEST_CASE("many ids that begin alike are found all the same") {
  // Somebody made pages whose blocks all fall into one bucket.
  std::vector<IndexEntry> list;
  for (std::uint32_t i = 0; i < 3000; ++i) list.push_back({0xABCD000000000000U | std::uint64_t{i} << 20, i});
  const auto parts = encode_index(list, 3000);
  std::vector<std::uint32_t> found;
  for (std::uint32_t n = 0; n < parts.size(); ++n) {
    const auto reader = IndexReader::parse(parts[n].bytes, n, parts[n].entries, 3000, 3000);
    REQUIRE(reader);
    reader->find(list[1234].head, 64, found);
  }
  CHECK(std::find(found.begin(), found.end(), 1234U) != found.end());
}

TEST_CASE("a damaged index is refused") {
  const auto parts = encode_index({{1, 0}, {2, 1}, {3, 2}}, 3);
  REQUIRE(parts.size() == 1);
  CHECK(IndexReader::parse(parts[0].bytes, 0, 3, 3, 3));
  CHECK_FALSE(IndexReader::parse(parts[0].bytes, 0, 4, 4, 3));
  CHECK_FALSE(IndexReader::parse(parts[0].bytes, 1, 3, 3, 3));
  CHECK_FALSE(IndexReader::parse(parts[0].bytes + "x", 0, 3, 3, 3));
  CHECK_FALSE(IndexReader::parse(parts[0].bytes.substr(1), 0, 3, 3, 3));
  CHECK_FALSE(IndexReader::parse("", 0, 3, 3, 3));
}
