#include "segment/tagtree.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/charset.h"
#include "segment/auto.h"
#include "segment/html_elements.h"

namespace blockarch {
namespace {

constexpr int kDefaultLevels = 6;
constexpr std::size_t kMaxPath = 120;

class TagTreeSegmenter final : public Segmenter {
 public:
  std::string_view name() const override { return "tagtree"; }
  std::vector<std::string_view> profiles() const override { return {"modern", "paper"}; }
  // Also what was learnt about a site, as one line.
  bool takes_profile(std::string_view profile) const override { return decode_model(profile).has_value(); }

  Segmentation segment(ByteView payload, const SegmentOptions& options) const override {
    const bool readable = payload.size() <= kMaxMarkupSize && markup_is_ascii(options.charset);
    if (!readable || sniff_markup(payload, options.media_type) == Markup::none) {
      return {{{0, payload.size(), kNoParent, 0, {}}}};
    }
    // What is no model changes nothing: a segmenter is total.
    const auto decoded = decode_model(options.profile);
    const TagTreeModel model = decoded ? *decoded : TagTreeModel();
    const StyledPage page = read_styled_page(payload);
    const RegionBoxes regions = compute_boxes(page, model.profile);
    const int level = options.level <= 0 ? kDefaultLevels : std::min(options.level, kMaxLevel);
    return tagtree_levels(page, regions, main_region_of(page, regions, model), level);
  }
};

// Neighbouring boxes that stay together.
struct Group {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  double text = 0;
  bool single() const { return first == last; }
};

class RegionCutter {
 public:
  RegionCutter(const StyledPage& page, const RegionBoxes& regions, std::uint32_t main, int max_level,
               const TagTreeLimits& limits)
      : page_(page), boxes_(regions.boxes), main_(main), max_level_(max_level), limits_(limits) {
    const double all = std::exp2(std::floor(std::log2(std::max(1.0, static_cast<double>(boxes_[0].text)))));
    split_ = std::max(limits.split, limits.split_part * all);
  }

  Segmentation run() {
    result_.regions.push_back({0, page_.payload.size(), kNoParent, 0, {}});
    cut(0, 0);
    return std::move(result_);
  }

 private:
  // Recursion is as deep as the levels asked for.
  void cut(std::uint32_t region, std::uint32_t box) {
    std::string path = result_.regions[region].path;
    std::vector<Group> groups = groups_of(box);
    while (groups.size() == 1 && groups[0].single() && groups[0].first != main_ && may_divide(groups[0])) {
      box = groups[0].first;
      path = path_below(path, box);
      groups = groups_of(box);
    }
    const bool main_alone = groups.size() == 1 && groups[0].first == main_;
    if ((groups.size() < 2 && !main_alone) || (!holds_main(box) && is_list(groups))) return;
    const int level = result_.regions[region].level + 1;
    for (const Group& group : groups) {
      const auto child = static_cast<std::uint32_t>(result_.regions.size());
      result_.regions.push_back({boxes_[group.first].begin, boxes_[group.last].end, region,
                                 static_cast<std::uint8_t>(level), path_below(path, group.first)});
      // Where the levels asked for end above it, the region that holds it.
      if (holds_main(group.first)) result_.main = child;
      if (level < max_level_ && group.single() && may_divide(group)) cut(child, group.first);
    }
  }

  bool holds_main(std::uint32_t box) const { return box <= main_ && main_ < boxes_[box].subtree_end && main_ != 0; }
  bool may_divide(const Group& group) const {
    return group.text >= split_ || (holds_main(group.first) && group.first != main_);
  }

  // Boxes without bytes (the room of colspan and rowspan) are no regions.
  std::vector<Group> groups_of(std::uint32_t parent) const {
    std::vector<Group> groups;
    bool run = false;  // the last group is a run of short boxes
    for (std::uint32_t i = parent + 1; i < boxes_[parent].subtree_end; i = boxes_[i].subtree_end) {
      if (boxes_[i].begin == boxes_[i].end) continue;
      const bool is_short = boxes_[i].text < limits_.least;
      const bool apart = holds_main(i) || (!groups.empty() && holds_main(groups.back().last));
      const bool joins = !groups.empty() && !apart && ((run && is_short) || groups.back().text < limits_.least);
      if (joins) {
        groups.back().last = i;
        groups.back().text += boxes_[i].text;
        run = run && is_short;
      } else {
        groups.push_back({i, i, static_cast<double>(boxes_[i].text)});
        run = is_short;
      }
    }
    if (groups.size() > 1 && groups.back().text < limits_.least && !holds_main(groups.back().first) &&
        !holds_main(groups[groups.size() - 2].last)) {
      groups[groups.size() - 2].last = groups.back().last;
      groups[groups.size() - 2].text += groups.back().text;
      groups.pop_back();
    }
    return groups;
  }

  bool is_list(const std::vector<Group>& groups) const {
    if (groups.size() < limits_.list) return false;
    double sum = 0;
    double most = 0;
    for (const Group& group : groups) {
      sum += group.text;
      most = std::max(most, group.text);
    }
    return sum < limits_.page_part * boxes_[0].text && most * static_cast<double>(groups.size()) <= limits_.alike * sum;
  }

  std::string path_below(const std::string& path, std::uint32_t index) const {
    const RegionBox& box = boxes_[index];
    const std::string name = box.is_virtual ? "#text" : page_.name(page_.nodes[box.node]);
    if (path.empty() || name.empty()) return path + name;
    std::string joined = path + '/' + name;
    if (joined.size() <= kMaxPath) return joined;
    const std::size_t cut = joined.find('/', joined.size() - kMaxPath + 4);
    return cut == std::string::npos ? name : "..." + joined.substr(cut);
  }

  const StyledPage& page_;
  const std::vector<RegionBox>& boxes_;
  std::uint32_t main_;
  int max_level_;
  const TagTreeLimits& limits_;
  double split_;
  Segmentation result_;
};

}  // namespace

Segmentation tagtree_levels(const StyledPage& page, const RegionBoxes& regions, std::uint32_t main, int max_level,
                            const TagTreeLimits& limits) {
  return RegionCutter(page, regions, main, max_level, limits).run();
}

const Segmenter& tagtree_segmenter() {
  static const TagTreeSegmenter segmenter;
  return segmenter;
}

}  // namespace blockarch
