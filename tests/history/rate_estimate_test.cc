#include "history/rate_estimate.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <random>
#include <vector>

namespace blockarch {
namespace {

using Catch::Approx;

// Visits to something that changes `rate` times a second. Regular ones are a second apart, irregular ones lie between a
// fiftieth of a second and five seconds apart, evenly on a logarithmic scale, with the same mean.
class Simulation {
 public:
  Simulation(unsigned seed, double rate, bool regular) : random_(seed), rate_(rate), regular_(regular) {}

  VisitRecord visits(int count) {
    VisitRecord record;
    for (int i = 0; i < count; ++i) {
      const double t = interval();
      // A change is seen where the first one comes within the interval.
      record.add(t, std::exponential_distribution<double>(rate_)(random_) < t);
    }
    return record;
  }

 private:
  double interval() {
    if (regular_) return 1;
    constexpr double kLow = 0.02;
    constexpr double kHigh = 5;
    const double mean = (kHigh - kLow) / std::log(kHigh / kLow);
    return std::exp(std::uniform_real_distribution<double>(std::log(kLow), std::log(kHigh))(random_)) / mean;
  }

  std::mt19937 random_;
  double rate_;
  bool regular_;
};

struct Errors {
  double corrected = 0;  // median of |estimate / truth - 1|
  double naive = 0;
  double covered = 0;  // how often the truth lay in the interval
};

Errors errors_at(double rate, bool regular, int visits) {
  constexpr unsigned kRuns = 200;
  std::vector<double> corrected;
  std::vector<double> naive;
  int covered = 0;
  for (unsigned run = 0; run < kRuns; ++run) {
    const RateEstimate e = Simulation(run + 1, rate, regular).visits(visits).estimate();
    corrected.push_back(std::abs(e.rate / rate - 1));
    naive.push_back(std::abs(e.naive / rate - 1));
    if (e.low <= rate && (!e.high || rate <= *e.high)) ++covered;
  }
  std::sort(corrected.begin(), corrected.end());
  std::sort(naive.begin(), naive.end());
  return {corrected[kRuns / 2], naive[kRuns / 2], static_cast<double>(covered) / kRuns};
}

}  // namespace

TEST_CASE("regular visits give the formula of the paper") {
  for (const int changes : {1, 5, 50, 99, 100}) {
    VisitRecord record;
    for (int i = 0; i < 100; ++i) record.add(86400, i < changes);
    const RateEstimate e = record.estimate();
    CHECK(e.visits == 100);
    CHECK(e.changes == static_cast<std::uint64_t>(changes));
    CHECK(e.rate * 86400 == Approx(-std::log((100 - changes + 0.5) / 100.5)).epsilon(1e-9));
    CHECK(e.naive * 86400 == Approx(changes / 100.0));
    CHECK(e.low < e.rate);
    CHECK(e.high.has_value() == (changes < 100));
    if (e.high) CHECK(*e.high > e.rate);
  }
}

TEST_CASE("irregular visits give the most likely rate") {
  VisitRecord record;
  record.add(10, true);
  record.add(1, false);
  record.add(30, true);
  record.add(3, false);
  const double rate = record.estimate().rate;
  const double left = 10 / std::expm1(rate * 10) + 30 / std::expm1(rate * 30);
  double weights = 0;
  double weighed = 0;
  for (const double t : {10, 1, 30, 3}) {
    weights += std::exp(-rate * t);
    weighed += t * std::exp(-rate * t);
  }
  CHECK(left == Approx(1 + 3 + 0.5 * weighed / weights).epsilon(1e-6));
}

TEST_CASE("where short and long intervals all saw a change the short ones decide") {
  VisitRecord record;
  for (int i = 0; i < 20; ++i) record.add(i < 10 ? 1 : 1000, true);
  const RateEstimate e = record.estimate();
  CHECK(10 * std::exp(-e.rate) == Approx(0.5).epsilon(0.1));
  CHECK(e.low < e.rate);
}

TEST_CASE("the estimate lies within its bounds") {
  for (unsigned seed = 1; seed < 300; ++seed) {
    const double rate = std::pow(10, (seed % 9) * 0.5 - 2);
    const RateEstimate e = Simulation(seed, rate, seed % 2 == 0).visits(static_cast<int>(2 + seed % 40)).estimate();
    CAPTURE(seed, rate, e.visits, e.changes, e.rate, e.low);
    CHECK(e.low <= e.rate);
    if (e.high) CHECK(e.rate <= *e.high);
  }
}

TEST_CASE("known rates are recovered where changes are missed, by regular and irregular visits") {
  for (const bool regular : {true, false}) {
    for (const double rate : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
      const Errors e = errors_at(rate, regular, 1000);
      // Run with --success to see the table of docs/history.md.
      CAPTURE(regular, rate, e.corrected, e.naive, e.covered);
      CHECK(e.covered > 0.91);
      if (regular && rate >= 10) continue;  // see below
      CHECK(e.corrected < (rate < 0.03 ? 0.3 : 0.17));
      if (rate >= 0.3) CHECK(e.corrected < e.naive / 3);
      CHECK(e.corrected < e.naive + 0.02);
    }
  }
}

// At ten changes a visit only one visit in 22,000 sees none: a thousand regular visits cannot tell ten from a hundred.
// The estimate is then the least that can be said, and no upper bound is claimed.
TEST_CASE("where every visit sees a change the estimate is a lower bound and says so") {
  VisitRecord record;
  for (int i = 0; i < 1000; ++i) record.add(1, true);
  const RateEstimate e = record.estimate();
  CHECK(e.rate == Approx(std::log(2001.0)));
  CHECK_FALSE(e.high.has_value());
  CHECK(e.low > 5);
  const Errors at_ten = errors_at(10, true, 1000);
  CHECK(at_ten.corrected < 0.3);
  CHECK(at_ten.naive == Approx(0.9));
}

TEST_CASE("what never changed has rate zero and an upper bound") {
  VisitRecord record;
  for (int i = 0; i < 10; ++i) record.add(100, false);
  const RateEstimate e = record.estimate();
  CHECK(e.rate == 0);
  CHECK(e.low == 0);
  CHECK(*e.high == Approx(3.0 / 1000).epsilon(0.01));
  CHECK(revisit_interval(e, {}) == 3600);
  CHECK(revisit_interval(e, {.least = 1}) == Approx(1000));
}

TEST_CASE("one visit says nothing, and intervals that are not positive are left out") {
  VisitRecord record;
  record.add(0, true);
  record.add(-5, true);
  record.add(std::nan(""), false);
  const RateEstimate e = record.estimate();
  CHECK(e.visits == 0);
  CHECK(e.rate == 0);
  CHECK_FALSE(e.high.has_value());
  CHECK(revisit_interval(e, {}) == 86400);
  CHECK(chance_of_change(e, 1) == 1);
}

TEST_CASE("a revisit is suggested for when a change has come with the chance asked for") {
  VisitRecord record;
  for (int i = 0; i < 1000; ++i) record.add(86400, i % 2 == 0);
  const RateEstimate e = record.estimate();
  const double interval = revisit_interval(e, {.chance = 0.5});
  CHECK(interval == Approx(86400).epsilon(0.01));
  CHECK(chance_of_change(e, interval) == Approx(0.5));
  CHECK(revisit_interval(e, {.chance = 0.9}) > interval * 3);
  CHECK(revisit_interval(e, {.least = 1e6}) == 1e6);
  CHECK(revisit_interval(e, {.most = 7200}) == 7200);
}

TEST_CASE("records can be added up") {
  VisitRecord a;
  VisitRecord b;
  VisitRecord both;
  for (int i = 1; i < 50; ++i) {
    (i % 2 == 0 ? a : b).add(i, i % 3 == 0);
    both.add(i, i % 3 == 0);
  }
  a.add(b);
  CHECK(a.visits() == both.visits());
  CHECK(a.estimate().rate == Approx(both.estimate().rate));
}

}  // namespace blockarch
