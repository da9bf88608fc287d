#include "history/sequence_match.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace blockarch {
namespace {

using Sequence = std::span<const std::uint32_t>;

constexpr std::size_t kShort = 2048;  // both together: a shortest edit is looked for at once
// Edits on each side before a search is given up and its best way so far is taken: what bounds a search.
constexpr std::int32_t kMostEdits = 512;

struct Range {
  std::uint32_t a_begin, a_end, b_begin, b_end;
};

struct Point {
  std::uint32_t a, b;
};

// One search for the middle of a shortest edit: from both ends at once, diagonal by diagonal (k = x - y). Way[k] is how far
// along a the best way of so many edits has come on that diagonal.
class MiddleSearch {
 public:
  MiddleSearch(Sequence a, Sequence b)
      : a_(a),
        b_(b),
        n_(static_cast<std::int32_t>(a.size())),
        m_(static_cast<std::int32_t>(b.size())),
        forward_(2 * kMostEdits + 3, kNone),
        backward_(2 * kMostEdits + 3, kNone) {}

  // Neither is empty, and they differ at both ends: so the point is inside.
  Point find(std::uint64_t& steps) {
    const std::int32_t delta = n_ - m_;
    const bool odd = (delta & 1) != 0;
    for (std::int32_t d = 0; d <= kMostEdits; ++d) {
      steps += 2 * static_cast<std::uint64_t>(d) + 2;
      for (std::int32_t k = -d; k <= d; k += 2) {
        const std::int32_t x = step_forward(d, k);
        if (x == kNone || !odd || k < delta - (d - 1) || k > delta + (d - 1)) continue;
        const std::int32_t other = backward_[at(k - delta)];
        if (other != kNone && x >= other) return point(x, k);
      }
      for (std::int32_t k = -d; k <= d; k += 2) {
        const std::int32_t x = step_backward(d, k, delta);
        if (x == kNone || odd || k + delta < -d || k + delta > d) continue;
        const std::int32_t other = forward_[at(k + delta)];
        if (other != kNone && x <= other) return point(x, k + delta);
      }
    }
    return farthest();
  }

 private:
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  static std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k + kMostEdits + 1); }
  static Point point(std::int32_t x, std::int32_t k) {
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x - k)};
  }

  std::int32_t step_forward(std::int32_t d, std::int32_t k) {
    std::int32_t x = d == 0 ? 0 : kNone;
    if (d > 0) {
      const std::int32_t left = forward_[at(k - 1)];
      const std::int32_t above = forward_[at(k + 1)];
      if (left != kNone && left + 1 <= n_) x = left + 1;
      if (above != kNone && above - k <= m_) x = std::max(x, above);
      if (x == kNone) return forward_[at(k)] = kNone;
    }
    while (x < n_ && x - k < m_ && a_[x] == b_[x - k]) ++x;
    return forward_[at(k)] = x;
  }

  // `k` counts from the diagonal that ends in the last corner.
  std::int32_t step_backward(std::int32_t d, std::int32_t k, std::int32_t delta) {
    std::int32_t x = d == 0 ? n_ : kNone;
    if (d > 0) {
      const std::int32_t right = backward_[at(k + 1)];
      const std::int32_t below = backward_[at(k - 1)];
      if (right != kNone && right - 1 >= 0) x = right - 1;
      if (below != kNone && below - (k + delta) >= 0) x = x == kNone ? below : std::min(x, below);
      if (x == kNone) return backward_[at(k)] = kNone;
    }
    while (x > 0 && x - (k + delta) > 0 && a_[x - 1] == b_[x - (k + delta) - 1]) --x;
    return backward_[at(k)] = x;
  }

  // The way from the beginning that has come farthest.
  Point farthest() const {
    Point best{0, 0};
    for (std::int32_t k = -kMostEdits; k <= kMostEdits; k += 2) {
      const std::int32_t x = forward_[at(k)];
      if (x == kNone) continue;
      const Point here = point(x, k);
      if (here.a + here.b > best.a + best.b) best = here;
    }
    return best;
  }

  Sequence a_;
  Sequence b_;
  std::int32_t n_;
  std::int32_t m_;
  std::vector<std::int32_t> forward_;
  std::vector<std::int32_t> backward_;
};

class Matcher {
 public:
  Matcher(Sequence a, Sequence b, WorkLimit& limit) : a_(a), b_(b), limit_(limit) {}

  std::vector<SequenceMatch> run() {
    open_.push_back({0, static_cast<std::uint32_t>(a_.size()), 0, static_cast<std::uint32_t>(b_.size())});
    // The last range is the first in order, so matches come out sorted but for suffixes, which wait.
    while (!open_.empty()) {
      const Range range = open_.back();
      open_.pop_back();
      take(range);
    }
    std::sort(matches_.begin(), matches_.end(), [](const auto& x, const auto& y) { return x.a < y.a; });
    return joined();
  }

 private:
  void take(Range r) {
    std::uint32_t size = 0;
    while (r.a_begin + size < r.a_end && r.b_begin + size < r.b_end && a_[r.a_begin + size] == b_[r.b_begin + size]) {
      ++size;
    }
    add(r.a_begin, r.b_begin, size);
    r.a_begin += size;
    r.b_begin += size;
    size = 0;
    while (r.a_end > r.a_begin + size && r.b_end > r.b_begin + size &&
           a_[r.a_end - size - 1] == b_[r.b_end - size - 1]) {
      ++size;
    }
    r.a_end -= size;
    r.b_end -= size;
    add(r.a_end, r.b_end, size);
    if (r.a_begin == r.a_end || r.b_begin == r.b_end) return;
    const std::uint64_t length = std::uint64_t{r.a_end - r.a_begin} + (r.b_end - r.b_begin);
    if (!limit_.spend(length)) return;
    if (length > kShort && cut_at_anchors(r)) return;
    cut_in_the_middle(r);
  }

  void cut_in_the_middle(const Range& r) {
    std::uint64_t steps = 0;
    const Point middle =
        MiddleSearch(a_.subspan(r.a_begin, r.a_end - r.a_begin), b_.subspan(r.b_begin, r.b_end - r.b_begin))
            .find(steps);
    if (!limit_.spend(steps + 2 * kMostEdits)) return;
    const std::uint32_t x = r.a_begin + middle.a;
    const std::uint32_t y = r.b_begin + middle.b;
    if ((x == r.a_begin && y == r.b_begin) || (x == r.a_end && y == r.b_end)) return;
    open_.push_back({x, r.a_end, y, r.b_end});
    open_.push_back({r.a_begin, x, r.b_begin, y});
  }

  // Elements that occur once on each side, as many as are in the same order on both.
  bool cut_at_anchors(const Range& r) {
    struct Seen {
      std::uint32_t a_count = 0, b_count = 0, a = 0, b = 0;
    };
    std::unordered_map<std::uint32_t, Seen> seen;
    seen.reserve(r.a_end - r.a_begin);
    for (std::uint32_t i = r.a_begin; i < r.a_end; ++i) {
      Seen& s = seen[a_[i]];
      ++s.a_count;
      s.a = i;
    }
    for (std::uint32_t i = r.b_begin; i < r.b_end; ++i) {
      const auto found = seen.find(b_[i]);
      if (found == seen.end()) continue;
      ++found->second.b_count;
      found->second.b = i;
    }
    limit_.spend(40 * (std::uint64_t{r.a_end - r.a_begin} + (r.b_end - r.b_begin)));
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
    for (std::uint32_t i = r.a_begin; i < r.a_end; ++i) {
      const Seen& s = seen.find(a_[i])->second;
      if (s.a_count != 1 || s.b_count != 1) continue;
      from.push_back(i);
      to.push_back(s.b);
    }
    if (from.empty()) return false;
    const std::vector<bool> kept = heaviest_rising(to, std::vector<std::uint64_t>(to.size(), 1));
    return cut_at(r, from, to, kept);
  }

  bool cut_at(const Range& r, const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to,
              const std::vector<bool>& kept) {
    Range rest = r;
    std::vector<Range> between;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!kept[i]) continue;
      // The anchor itself begins the next range, whose common beginning it is.
      between.push_back({rest.a_begin, from[i], rest.b_begin, to[i]});
      rest.a_begin = from[i];
      rest.b_begin = to[i];
    }
    between.push_back(rest);
    open_.insert(open_.end(), between.rbegin(), between.rend());
    return true;
  }

  void add(std::uint32_t a, std::uint32_t b, std::uint32_t size) {
    if (size > 0) matches_.push_back({a, b, size});
  }

  std::vector<SequenceMatch> joined() const {
    std::vector<SequenceMatch> list;
    for (const SequenceMatch& match : matches_) {
      if (!list.empty() && list.back().a + list.back().size == match.a && list.back().b + list.back().size == match.b) {
        list.back().size += match.size;
      } else {
        list.push_back(match);
      }
    }
    return list;
  }

  Sequence a_;
  Sequence b_;
  WorkLimit& limit_;
  std::vector<Range> open_;
  std::vector<SequenceMatch> matches_;
};

}  // namespace

bool WorkLimit::spend(std::uint64_t steps) {
  if (steps > left) {
    left = 0;
    return false;
  }
  left -= steps;
  return true;
}

std::vector<SequenceMatch> match_sequences(Sequence a, Sequence b, WorkLimit& limit) {
  return Matcher(a, b, limit).run();
}

// The heaviest way that ends in each place, found among those that end lower by a tree of maxima (Fenwick).
std::vector<bool> heaviest_rising(Sequence to, std::span<const std::uint64_t> weights) {
  constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
  const std::size_t count = to.size();
  std::vector<std::uint32_t> sorted(to.begin(), to.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::uint32_t> best(sorted.size() + 1, kNobody);
  std::vector<std::uint64_t> total(count, 0);
  std::vector<std::uint32_t> before(count, kNobody);
  std::uint32_t last = kNobody;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto rank = static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), to[i]) - sorted.begin());
    for (std::size_t r = rank; r > 0; r &= r - 1) {
      if (best[r] != kNobody && (before[i] == kNobody || total[best[r]] > total[before[i]])) before[i] = best[r];
    }
    total[i] = weights[i] + (before[i] == kNobody ? 0 : total[before[i]]);
    for (std::size_t r = rank + 1; r < best.size(); r += r & (~r + 1)) {
      if (best[r] == kNobody || total[i] > total[best[r]]) best[r] = i;
    }
    if (last == kNobody || total[i] > total[last]) last = i;
  }
  std::vector<bool> kept(count, false);
  for (std::uint32_t i = last; i != kNobody; i = before[i]) kept[i] = true;
  return kept;
}

}  // namespace blockarch
