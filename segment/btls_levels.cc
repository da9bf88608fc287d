// How content blocks nest where the profile is not `paper`. The paper divides a page at titles that are shallower than what
// stands before them, once; here every run of lines is divided again at its own shallowest places, and titles rule over
// what follows them by their rank. That is what it lacks on pages with many titles: a title of <h3> inside a block does not
// end the block of the <h2> above it. Pages with few titles are divided by depth alone.
#include <algorithm>
#include <cmath>
#include <span>

#include "segment/btls.h"
#include "segment/btls_tree.h"
#include "segment/html_elements.h"

namespace blockarch {
namespace {

// A run of lines: one node of the tree, or several that belong together.
struct Unit {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t length = 0;
  std::uint32_t node = kNoNode;       // kNoNode for several
  std::uint8_t heading = kNoHeading;  // the highest on its lines
  bool title = false;                 // a heading and nothing else
};

// Units of a region that stay together.
struct Group {
  std::span<const Unit> units;
  double length = 0;
};

class LevelCutter {
 public:
  LevelCutter(ByteView page, const TextLines& text, std::optional<Script> script, int max_level,
              const BtlsLimits& limits)
      : page_(page), lines_(text.lines), nodes_(line_tree(text.lines)), max_level_(max_level), limits_(limits) {
    const double factor = characters_per_han(script.value_or(text.script));
    least_ = limits.least * factor;
    // To a power of two, so that an edit rarely moves what depends on the length of the page.
    const double all =
        nodes_.empty() ? 0 : std::exp2(std::floor(std::log2(std::max(1.0, static_cast<double>(nodes_.back().length)))));
    split_ = std::max(limits.split * factor, limits.split_part * all);
  }

  Segmentation run() {
    result_.regions.push_back({0, page_.size(), kNoParent, 0, {}});
    if (!nodes_.empty()) {
      const Unit root = unit_of(static_cast<std::uint32_t>(nodes_.size() - 1));
      cut(0, {&root, 1}, lines_.back().end);
    }
    return std::move(result_);
  }

 private:
  // Recursion is as deep as the levels asked for. `end` is where the region ends.
  void cut(std::uint32_t region, std::span<const Unit> units, std::uint32_t end) {
    std::vector<Unit> expanded;
    std::vector<Group> groups = group(units);
    while (groups.size() == 1) {
      if (!expand(units, expanded)) return;
      units = expanded;
      groups = group(units);
    }
    if (is_list(groups)) return;
    const int level = result_.regions[region].level + 1;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::uint32_t begin = begin_of(groups[i]);
      const std::uint32_t next = i + 1 < groups.size() ? begin_of(groups[i + 1]) : end;
      const auto child = static_cast<std::uint32_t>(result_.regions.size());
      result_.regions.push_back({begin, next, region, static_cast<std::uint8_t>(level), {}});
      if (level < max_level_ && groups[i].length >= split_) cut(child, groups[i].units, next);
    }
  }

  std::uint32_t begin_of(const Group& group) const { return lines_[group.units.front().first].cut; }

  Unit unit_of(std::uint32_t index) const {
    const LineNode& node = nodes_[index];
    const bool title = node.first == node.last && lines_[node.first].heading > 0;
    return {node.first, node.last, node.length, index, node.heading, title};
  }

  static Unit joined(std::span<const Unit> units) {
    Unit unit = units.front();
    if (units.size() == 1) return unit;
    unit.node = kNoNode;
    unit.title = false;
    for (const Unit& other : units.subspan(1)) {
      unit.last = other.last;
      unit.length += other.length;
      unit.heading = std::min(unit.heading, other.heading);
    }
    return unit;
  }

  // Puts the children of the longest unit in its place; what stands before and after it becomes one unit each, so that a
  // page of nested elements with a word in each stays linear.
  bool expand(std::span<const Unit> units, std::vector<Unit>& to) const {
    const auto longest =
        std::max_element(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.length < b.length; });
    if (longest->node == kNoNode || longest->length < split_) return false;
    const std::uint32_t first = nodes_[longest->node].first_child;
    if (first == kNoNode) return false;
    std::size_t children = 0;
    for (std::uint32_t i = first; i != kNoNode; i = nodes_[i].next_sibling) ++children;
    const auto before = units.first(static_cast<std::size_t>(longest - units.begin()));
    const auto after = units.subspan(before.size() + 1);
    std::vector<Unit> expanded;
    expanded.reserve(children + 2);
    if (!before.empty()) expanded.push_back(joined(before));
    for (std::uint32_t i = first; i != kNoNode; i = nodes_[i].next_sibling) expanded.push_back(unit_of(i));
    if (!after.empty()) expanded.push_back(joined(after));
    to = std::move(expanded);
    return true;
  }

  // A title keeps what follows it until there is a heading of its rank or a higher one; titles in a row stay together, as
  // do short units in a row; what is short joins what comes after it, at the end what comes before it.
  std::vector<Group> group(std::span<const Unit> units) const {
    std::vector<Group> groups;
    std::uint8_t title = 0;  // the rank of the last group's title; 0 = none
    bool run = false;        // the last group is a run of short units
    bool after_title = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const Unit& unit = units[i];
      const bool is_short = unit.length < least_;
      const bool under_title = title > 0 && unit.heading > title;
      const bool joins =
          under_title || (!unit.title && ((run && is_short) || (i > 0 && groups.back().length < least_)));
      if (i > 0 && (joins || (after_title && unit.title))) {
        groups.back().units = units.subspan(begin, i + 1 - begin);
        groups.back().length += unit.length;
        run = run && is_short && !unit.title;
      } else {
        begin = i;
        groups.push_back({units.subspan(i, 1), static_cast<double>(unit.length)});
        run = is_short && !unit.title;
      }
      if (!joins) title = unit.title ? unit.heading : std::uint8_t{0};
      after_title = unit.title;
    }
    if (groups.size() > 1 && groups.back().length < least_) {
      const Group last = groups.back();
      groups.pop_back();
      Group& before = groups.back();
      before = {{before.units.data(), before.units.size() + last.units.size()}, before.length + last.length};
    }
    return groups;
  }

  // Many of about the same length are the entries of a list, which is one block to a reader.
  bool is_list(const std::vector<Group>& groups) const {
    if (groups.size() < limits_.list) return false;
    double sum = 0;
    double most = 0;
    for (const Group& group : groups) {
      sum += group.length;
      most = std::max(most, group.length);
    }
    const bool page = sum >= limits_.page_part * nodes_.back().length;
    return !page && most * static_cast<double>(groups.size()) <= limits_.alike * sum;
  }

  ByteView page_;
  const std::deque<TextLine>& lines_;
  std::deque<LineNode> nodes_;
  int max_level_;
  const BtlsLimits& limits_;
  double least_;
  double split_;
  Segmentation result_;
};

}  // namespace

Segmentation btls_levels(ByteView page, std::string_view charset, std::optional<Script> script, int max_level,
                         const BtlsLimits& limits) {
  if (page.size() > kMaxMarkupSize) return {{{0, page.size(), kNoParent, 0, {}}}};
  const TextLines text = normal_lines(page, charset);
  return LevelCutter(page, text, script, max_level, limits).run();
}

}  // namespace blockarch
