#include "history/rate_estimate.h"

#include <algorithm>
#include <cmath>

namespace blockarch {
namespace {

constexpr double kClassesAnOctave = 35;  // 2^(1/35) = 1.02
constexpr double kHalf = 0.5;
// Half of the 95 % point of chi-squared with one degree of freedom: how far the log likelihood may fall.
constexpr double kFall = 3.841458820694124 / 2;
constexpr double kLeastRate = 1e-15;  // a second; one change in 30 million years
constexpr double kGreatestRate = 1e9;
constexpr int kSteps = 200;  // bisection of the exponents: far below the precision of a double

// The rate where a falling function crosses zero, on a logarithmic scale.
template <typename Function>
double crossing(double low, double high, const Function& falling) {
  double from = std::log(low);
  double to = std::log(high);
  for (int i = 0; i < kSteps && to - from > 1e-13; ++i) {
    const double middle = (from + to) / 2;
    (falling(std::exp(middle)) > 0 ? from : to) = middle;
  }
  return std::exp((from + to) / 2);
}

}  // namespace

VisitRecord::Class& VisitRecord::class_of(double interval) {
  return classes_[static_cast<int>(std::floor(std::log2(interval) * kClassesAnOctave))];
}

void VisitRecord::add(double interval, bool changed) {
  if (!(interval > 0) || !std::isfinite(interval)) return;
  Class& c = class_of(interval);
  ++c.all;
  c.total += interval;
  if (changed) ++c.changed;
  span_ += interval;
  ++visits_;
  if (changed) ++changes_;
}

void VisitRecord::add_unchanged(std::uint64_t visits, double seconds) {
  if (visits == 0 || !(seconds > 0) || !std::isfinite(seconds)) return;
  Class& c = class_of(seconds / static_cast<double>(visits));
  c.all += visits;
  c.total += seconds;
  span_ += seconds;
  visits_ += visits;
}

void VisitRecord::add(const VisitRecord& other) {
  for (const auto& [key, c] : other.classes_) {
    Class& mine = classes_[key];
    mine.changed += c.changed;
    mine.all += c.all;
    mine.total += c.total;
  }
  span_ += other.span_;
  visits_ += other.visits_;
  changes_ += other.changes_;
}

double VisitRecord::derivative(double rate) const {
  double sum = 0;
  for (const auto& [key, c] : classes_) {
    const double t = c.mean();
    sum -= static_cast<double>(c.all - c.changed) * t;
    if (c.changed > 0) sum += static_cast<double>(c.changed) * t / std::expm1(rate * t);
  }
  return sum;
}

double VisitRecord::likely_unchanged(double rate) const {
  // Weighed relative to the shortest interval, whose weight is then 1 at any rate.
  const double shortest = classes_.begin()->second.mean();
  double weights = 0;
  double sum = 0;
  for (const auto& [key, c] : classes_) {
    const double weight = static_cast<double>(c.all) * std::exp(-rate * (c.mean() - shortest));
    weights += weight;
    sum += weight * c.mean();
  }
  return sum / weights;
}

double VisitRecord::log_likelihood(double rate) const {
  double sum = 0;
  for (const auto& [key, c] : classes_) {
    const double t = c.mean();
    sum -= rate * t * static_cast<double>(c.all - c.changed);
    if (c.changed > 0) sum += static_cast<double>(c.changed) * std::log(-std::expm1(-rate * t));
  }
  return sum;
}

void VisitRecord::set_bounds(RateEstimate& estimate) const {
  if (changes_ == 0) {
    // Likelihood exp(-rate·span): the greatest rate that would still give no change in 1 of 20 cases.
    estimate.high = -std::log(0.05) / span_;
    return;
  }
  if (changes_ == visits_) {
    // The likelihood grows with the rate towards 1.
    estimate.low = crossing(kLeastRate, kGreatestRate, [&](double rate) { return -kFall - log_likelihood(rate); });
    return;
  }
  const double best = crossing(kLeastRate, kGreatestRate, [&](double rate) { return derivative(rate); });
  const double floor = log_likelihood(best) - kFall;
  estimate.low = crossing(kLeastRate, best, [&](double rate) { return floor - log_likelihood(rate); });
  estimate.high = crossing(best, kGreatestRate, [&](double rate) { return log_likelihood(rate) - floor; });
}

RateEstimate VisitRecord::estimate() const {
  RateEstimate estimate;
  estimate.visits = visits_;
  estimate.changes = changes_;
  estimate.span = span_;
  if (visits_ == 0) return estimate;
  estimate.naive = static_cast<double>(changes_) / span_;
  if (changes_ > 0) {
    estimate.rate = crossing(kLeastRate, kGreatestRate,
                             [&](double rate) { return derivative(rate) - kHalf * likely_unchanged(rate); });
  }
  set_bounds(estimate);
  return estimate;
}

double revisit_interval(const RateEstimate& estimate, const RevisitPolicy& policy) {
  double interval = policy.unknown;
  if (estimate.visits > 0) {
    interval = estimate.rate > 0 ? -std::log1p(-policy.chance) / estimate.rate : estimate.span;
  }
  return std::min(std::max(interval, policy.least), policy.most);
}

double chance_of_change(const RateEstimate& estimate, double elapsed) {
  if (elapsed <= 0) return 0;
  if (estimate.visits == 0) return 1;
  return -std::expm1(-estimate.rate * elapsed);
}

}  // namespace blockarch
