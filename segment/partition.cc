#include "segment/partition.h"

#include <algorithm>
#include <optional>

#include "segment/element_path.h"
#include "segment/fingerprint.h"

namespace blockarch {
namespace {

struct Unit {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t element;  // kNoElement for text
  ElementKind kind;       // phrasing for text
  bool apart;             // markup that belongs to no unit stands before it

  std::uint32_t size() const { return end - begin; }
};

struct Group {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t element;  // what it is named after
  bool single;            // one long unit, which may be cut further
};

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

// Tiles the inside of one container.
class UnitCollector {
 public:
  UnitCollector(ByteView payload, const ElementTree& tree, const PartitionLimits& limits)
      : payload_(payload), tree_(tree), limits_(limits) {}

  std::vector<Unit> run(std::uint32_t container) {
    collect(container, 0);
    return std::move(units_);
  }

 private:
  const Element& at(std::uint32_t element) const { return tree_.elements[element]; }

  // <html> in the document, <body> in <html>; what is around an XML list.
  static constexpr int kMaxTransparent = 8;

  void collect(std::uint32_t container, int depth) {
    const Element& outer = at(container);
    const bool page = container == 0 || holds_transparent(outer);
    std::uint32_t text = outer.inner_begin;
    lead_ = 0;
    for (std::uint32_t i = outer.first_child; i != kNoElement; i = at(i).next_sibling) {
      const Element& child = at(i);
      if (child.kind == ElementKind::phrasing) continue;
      if (child.kind == ElementKind::line_break) {
        text = end_line(text, child.end);
        continue;
      }
      add_text(text, child.begin, page);
      text = child.end;
      if (child.kind == ElementKind::transparent && depth < kMaxTransparent) {
        pass_tag(child.begin, child.inner_begin);
        collect(i, depth + 1);
        pass_tag(child.inner_end, child.end);
      } else {
        add({child.begin, child.end, i, child.kind, false});
      }
    }
    add_text(text, outer.inner_end, page);
  }

  bool holds_transparent(const Element& element) const {
    for (std::uint32_t i = element.first_child; i != kNoElement; i = at(i).next_sibling) {
      if (at(i).kind == ElementKind::transparent) return true;
    }
    return false;
  }

  void add(Unit unit) {
    unit.begin -= lead_;
    unit.apart = apart_;
    lead_ = 0;
    apart_ = false;
    units_.push_back(unit);
  }

  // White space belongs to the unit before it, or after it at the start. What stands between the parts of a
  // page (doctype, comments) is layout as long as it is short.
  void add_text(std::uint32_t begin, std::uint32_t end, bool page) {
    std::uint32_t first = begin;
    while (first < end && is_blank(payload_[first])) ++first;
    if (page && end - first < limits_.tag) {
      apart_ = apart_ || end > begin;
      return;
    }
    if (!page && apart_) {
      lead_ += first - begin;
    } else if (!page) {
      units_.back().end = first;
    }
    if (first < end) add({first, end, kNoElement, ElementKind::phrasing, false});
  }

  std::uint32_t end_line(std::uint32_t begin, std::uint32_t end) {
    add_text(begin, end, false);
    return end;
  }

  void pass_tag(std::uint32_t begin, std::uint32_t end) {
    apart_ = true;
    if (end - begin >= limits_.tag) add({begin, end, kNoElement, ElementKind::phrasing, true});
    apart_ = true;
  }

  ByteView payload_;
  const ElementTree& tree_;
  const PartitionLimits& limits_;
  std::vector<Unit> units_;
  std::uint32_t lead_ = 0;  // white space before the container's first unit
  bool apart_ = true;
};

class GroupMaker {
 public:
  GroupMaker(ByteView payload, const PartitionLimits& limits) : payload_(payload), limits_(limits) {}

  std::vector<Group> run(const std::vector<Unit>& units) {
    for (const Unit& unit : units) {
      if (unit.apart) end_run();
      if (unit.kind == ElementKind::entry) {
        end_run();
        groups_.push_back({unit.begin, unit.end, unit.element, true});
        joinable_ = false;
      } else if (unit.size() >= limits_.alone) {
        add_long(unit);
      } else {
        add_short(unit);
      }
    }
    end_run();
    return std::move(groups_);
  }

 private:
  std::uint32_t run_size() const { return run_ ? run_->end - run_->begin : 0; }

  void add_long(const Unit& unit) {
    std::uint32_t begin = unit.begin;
    if (run_size() >= limits_.least) {
      end_run();
    } else if (run_) {
      begin = run_->begin;
      run_.reset();
    }
    groups_.push_back({begin, unit.end, unit.element, true});
    joinable_ = true;
  }

  void add_short(const Unit& unit) {
    const bool starts = unit.kind == ElementKind::heading && run_size() >= limits_.least;
    if (starts || run_size() + unit.size() > limits_.most) end_run();
    if (!run_) run_ = Group{unit.begin, unit.end, unit.element, false};
    run_->end = unit.end;
    if (run_->element == kNoElement) run_->element = unit.element;
    const ByteView bytes = payload_.substr(unit.begin, unit.size());
    // The longer a unit, the likelier it ends its group: the mean length is `group` whatever the units'
    // lengths are.
    if (unit.kind != ElementKind::heading && run_size() >= limits_.least &&
        fingerprint(bytes) % limits_.group < unit.size()) {
      end_run();
    }
  }

  // A short rest joins what stands before it where nothing else is between the two.
  void end_run() {
    if (!run_) return;
    if (run_size() < limits_.least && joinable_ && groups_.back().end == run_->begin) {
      groups_.back().end = run_->end;
    } else {
      groups_.push_back(*run_);
      joinable_ = true;
    }
    run_.reset();
  }

  ByteView payload_;
  const PartitionLimits& limits_;
  std::vector<Group> groups_;
  std::optional<Group> run_;
  bool joinable_ = false;  // the last group may grow
};

class Partitioner {
 public:
  Partitioner(ByteView payload, const ElementTree& tree, int max_level, const PartitionLimits& limits,
              const CutRules& rules)
      : payload_(payload), tree_(tree), max_level_(max_level), limits_(limits), rules_(rules) {}

  Segmentation run() {
    result_.regions.push_back({0, payload_.size(), kNoParent, 0, {}});
    cut(0, 0, limits_);
    return std::move(result_);
  }

 private:
  // Recursion is as deep as the levels asked for, whatever the input.
  void cut(std::uint32_t region, std::uint32_t container, const PartitionLimits& limits) {
    std::string path = result_.regions[region].path;
    std::vector<Group> groups = groups_of(container, limits);
    while (groups.size() == 1 && groups[0].single && may_cut(groups[0].element, limits)) {
      container = groups[0].element;
      path = path_below(path, container);
      groups = groups_of(container, limits);
    }
    if (groups.size() < 2) return;
    const int level = result_.regions[region].level + 1;
    for (const Group& group : groups) {
      const auto child = static_cast<std::uint32_t>(result_.regions.size());
      result_.regions.push_back(
          {group.begin, group.end, region, static_cast<std::uint8_t>(level), path_below(path, group.element)});
      const std::string& name = result_.regions[child].path;
      if (level >= max_level_ || !group.single || rules_.is_whole(name)) continue;
      const PartitionLimits& inside = rules_.is_fine(name) ? kFineLimits : limits;
      if (may_cut(group.element, inside)) cut(child, group.element, inside);
    }
  }

  std::vector<Group> groups_of(std::uint32_t container, const PartitionLimits& limits) const {
    return GroupMaker(payload_, limits).run(UnitCollector(payload_, tree_, limits).run(container));
  }

  bool may_cut(std::uint32_t index, const PartitionLimits& limits) const {
    if (index == kNoElement) return false;
    const Element& element = tree_.elements[index];
    if (element.kind == ElementKind::leaf) return false;
    const std::uint32_t least = element.kind == ElementKind::entry ? limits.entry : limits.split;
    return element.end - element.begin >= least && element.inner_begin - element.begin < limits.tag &&
           element.end - element.inner_end < limits.tag;
  }

  // "body/" of a page, "rss/channel/" of a feed.
  std::string passed_through(std::uint32_t index) const {
    std::string names;
    for (; index != 0 && tree_.elements[index].kind == ElementKind::transparent; index = tree_.elements[index].parent) {
      const std::string name = path_name(payload_, tree_.elements[index]);
      if (!name.empty() && name != "html") names.insert(0, name + '/');
    }
    return names;
  }

  std::string path_below(const std::string& path, std::uint32_t index) const {
    std::string name = index == kNoElement ? "#text" : path_name(payload_, tree_.elements[index]);
    if (path.empty() && index != kNoElement) name.insert(0, passed_through(tree_.elements[index].parent));
    return join_path(path, name);
  }

  ByteView payload_;
  const ElementTree& tree_;
  int max_level_;
  const PartitionLimits& limits_;
  const CutRules& rules_;
  Segmentation result_;
};

}  // namespace

Segmentation partition(ByteView payload, const ElementTree& tree, int max_level, const PartitionLimits& limits,
                       const CutRules& rules) {
  return Partitioner(payload, tree, max_level, limits, rules).run();
}

}  // namespace blockarch
