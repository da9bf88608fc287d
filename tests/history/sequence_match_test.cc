#include "history/sequence_match.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>
#include <string>

namespace blockarch {
namespace {

using Numbers = std::vector<std::uint32_t>;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(engine_() % end); }

 private:
  std::mt19937 engine_;
};

Numbers numbers(const std::string& text) {
  return {text.begin(), text.end()};
}

std::size_t common(const Numbers& a, const Numbers& b, const std::vector<SequenceMatch>& matches) {
  std::size_t count = 0;
  std::uint32_t at_a = 0;
  std::uint32_t at_b = 0;
  for (const SequenceMatch& match : matches) {
    REQUIRE(match.size > 0);
    REQUIRE(match.a >= at_a);
    REQUIRE(match.b >= at_b);
    REQUIRE(match.a + match.size <= a.size());
    REQUIRE(match.b + match.size <= b.size());
    REQUIRE(std::equal(a.begin() + match.a, a.begin() + match.a + match.size, b.begin() + match.b));
    at_a = match.a + match.size;
    at_b = match.b + match.size;
    count += match.size;
  }
  return count;
}

// By the table that everybody knows.
std::size_t longest_common(const Numbers& a, const Numbers& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const std::uint32_t x : a) {
    std::size_t corner = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = x == b[j] ? corner + 1 : std::max(row[j + 1], row[j]);
      corner = above;
    }
  }
  return row.back();
}

TEST_CASE("short sequences have their longest common subsequence found") {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    Numbers a(random.below(40));
    Numbers b(random.below(40));
    const std::uint32_t letters = 1 + random.below(6);
    for (auto& x : a) x = random.below(letters);
    for (auto& x : b) x = random.below(letters);
    WorkLimit limit;
    const auto matches = match_sequences(a, b, limit);
    REQUIRE(common(a, b, matches) == longest_common(a, b));
  }
}

TEST_CASE("a long sequence with edits keeps what was not edited") {
  Random random(8);
  Numbers a(60'000);
  for (auto& x : a) x = random.below(3000);
  Numbers b = a;
  for (int edit = 0; edit < 300; ++edit) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(b.size()));
    if (edit % 3 == 0) b.erase(b.begin() + at);
    if (edit % 3 == 1) b.insert(b.begin() + at, random.below(3000));
    if (edit % 3 == 2) b[at] = 5000;
  }
  WorkLimit limit;
  CHECK(common(a, b, match_sequences(a, b, limit)) >= a.size() - 320);
}

TEST_CASE("sequences without anything in common end within the limit") {
  Numbers a(300'000);
  Numbers b(300'000);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 1'000'000);
  WorkLimit limit{50'000'000};
  CHECK(match_sequences(a, b, limit).empty());
}

TEST_CASE("a limit that is used up gives fewer matches, never wrong ones") {
  Random random(9);
  Numbers a(20'000);
  Numbers b(20'000);
  for (auto& x : a) x = random.below(4);
  for (auto& x : b) x = random.below(4);
  std::size_t last = 0;
  for (const std::uint64_t steps : {0, 100'000, 10'000'000, 400'000'000}) {
    WorkLimit limit{steps};
    const std::size_t here = common(a, b, match_sequences(a, b, limit));
    CHECK(here >= last);
    last = here;
  }
  CHECK(last > 10'000);
}

TEST_CASE("neighbouring matches are one") {
  WorkLimit limit;
  CHECK(match_sequences(numbers("abcdef"), numbers("abcdef"), limit) == std::vector<SequenceMatch>{{0, 0, 6}});
  CHECK(match_sequences(numbers("abcXdef"), numbers("abcdef"), limit) ==
        std::vector<SequenceMatch>{{0, 0, 3}, {4, 3, 3}});
  CHECK(match_sequences({}, numbers("a"), limit).empty());
}

TEST_CASE("the heaviest rising set wins over the longest") {
  const Numbers to = {3, 0, 1, 2};
  CHECK(heaviest_rising(to, std::vector<std::uint64_t>{1, 1, 1, 1}) == std::vector<bool>{false, true, true, true});
  CHECK(heaviest_rising(to, std::vector<std::uint64_t>{9, 1, 1, 1}) == std::vector<bool>{true, false, false, false});
  CHECK(heaviest_rising({}, {}).empty());
}

TEST_CASE("the rising set is as heavy as the best of all subsets") {
  Random random(10);
  for (int round = 0; round < 300; ++round) {
    Numbers to(random.below(10));
    std::vector<std::uint64_t> weights(to.size());
    for (auto& x : to) x = random.below(12);
    for (auto& w : weights) w = 1 + random.below(5);
    std::uint64_t best = 0;
    for (std::uint32_t set = 0; set < 1u << to.size(); ++set) {
      std::int64_t last = -1;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < to.size() && last < 100; ++i) {
        if ((set >> i & 1) == 0) continue;
        sum += weights[i];
        last = to[i] > last ? to[i] : 100;
      }
      if (last < 100) best = std::max(best, sum);
    }
    std::uint64_t sum = 0;
    std::int64_t last = -1;
    const auto kept = heaviest_rising(to, weights);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!kept[i]) continue;
      REQUIRE(to[i] > last);
      last = to[i];
      sum += weights[i];
    }
    REQUIRE(sum == best);
  }
}

}  // namespace
}  // namespace blockarch
