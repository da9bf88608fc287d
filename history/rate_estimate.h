// How often something changes, from visits that only tell whether it changed since the last one.
//
// Changes are taken to come as a Poisson process. A visit after t seconds sees a change with the chance 1 - exp(-rate·t),
// however many there were: counting seen changes misses the others, the more the rarer the visits. The estimate is that of
// Cho and Garcia-Molina ("Estimating frequency of change", 2003). With visits at regular intervals t, n of them, x with a
// change, it is
//   rate · t = -log((n - x + 0.5) / (n + 0.5))
// where the halves keep it finite and nearly free of bias. With irregular intervals it is the most likely rate, the root of
//   sum over visits with a change of t / (exp(rate·t) - 1)  =  sum over visits without one of t  +  t* / 2
// whose last term is the same correction, half a visit without a change: t* is the mean of all intervals, each weighed with
// how likely no change is in it, exp(-rate·t). At regular intervals the root is the formula above; where every visit saw a
// change it is the rate at which half a visit without one was to be expected.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace blockarch {

struct RateEstimate {
  std::uint64_t visits = 0;   // after the first: how many times there was something to compare with
  std::uint64_t changes = 0;  // visits that saw a change
  double span = 0;            // seconds from the first visit to the last
  double rate = 0;            // changes a second; 0 where none was seen
  double naive = 0;           // changes / span: what the correction is a correction of
  // The interval that holds the true rate with 95 % confidence (by the likelihood ratio).
  double low = 0;
  std::optional<double> high;  // nothing where every visit saw a change: then there is no upper bound
};

// Visits by how long after the one before they came, in classes of 2 %, so that any number of them takes little memory and
// an estimate little time. Intervals that are all equal lose nothing.
class VisitRecord {
 public:
  // Seconds since the visit before; what is not positive is left out.
  void add(double interval, bool changed);
  // Several visits that saw no change, with the seconds between them in all.
  void add_unchanged(std::uint64_t visits, double seconds);
  // Two records of the same thing become one.
  void add(const VisitRecord& other);

  std::uint64_t visits() const { return visits_; }
  std::uint64_t changes() const { return changes_; }

  RateEstimate estimate() const;

 private:
  // Intervals of about the same length.
  struct Class {
    std::uint64_t changed = 0;
    std::uint64_t all = 0;
    double total = 0;  // seconds
    double mean() const { return total / static_cast<double>(all); }
  };
  Class& class_of(double interval);
  // Of the log likelihood by the rate.
  double derivative(double rate) const;
  // The interval t* above.
  double likely_unchanged(double rate) const;
  double log_likelihood(double rate) const;
  void set_bounds(RateEstimate& estimate) const;

  std::map<int, Class> classes_;
  double span_ = 0;
  std::uint64_t visits_ = 0;
  std::uint64_t changes_ = 0;
};

// When to look again.
struct RevisitPolicy {
  double chance = 0.5;           // visit when a change has happened with this chance
  double least = 3600;           // seconds; never more often
  double most = 365.25 * 86400;  // never more rarely
  double unknown = 86400;        // where there was only one visit
};

// Seconds. What was never seen to change is given as long again as it was watched, within the policy's bounds.
double revisit_interval(const RateEstimate& estimate, const RevisitPolicy& policy);

// How likely it is that there was a change in the `elapsed` seconds since the last visit.
double chance_of_change(const RateEstimate& estimate, double elapsed);

}  // namespace blockarch
