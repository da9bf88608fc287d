#include "segment/segmenter.h"

#include <algorithm>

#include "segment/auto.h"
#include "segment/btls.h"
#include "segment/bwap.h"
#include "segment/tagtree.h"

namespace blockarch {
namespace {

class WholeSegmenter final : public Segmenter {
 public:
  std::string_view name() const override { return "whole"; }
  Segmentation segment(ByteView payload, const SegmentOptions&) const override {
    return {{{0, payload.size(), kNoParent, 0, {}}}};
  }
};

const std::vector<const Segmenter*>& all_segmenters() {
  static const WholeSegmenter whole;
  static const std::vector<const Segmenter*> all = {&auto_segmenter(), &btls_segmenter(), &bwap_segmenter(),
                                                    &tagtree_segmenter(), &whole};
  return all;
}

}  // namespace

bool is_well_formed(const Segmentation& segmentation, std::uint64_t payload_size, int max_level) {
  const std::vector<Region>& regions = segmentation.regions;
  if (regions.empty() || regions.size() >= kNoParent) return false;
  if (segmentation.main && (*segmentation.main == 0 || *segmentation.main >= regions.size())) return false;
  const Region& root = regions[0];
  if (root.begin != 0 || root.end != payload_size || root.parent != kNoParent || root.level != 0) return false;
  // The chain of regions from the root to the one before, each with where its next child may begin.
  struct Open {
    std::uint32_t region;
    std::uint64_t next;
  };
  std::vector<Open> open{{0, 0}};
  for (std::uint32_t i = 1; i < regions.size(); ++i) {
    const Region& region = regions[i];
    while (!open.empty() && open.back().region != region.parent) open.pop_back();
    if (open.empty()) return false;  // the parent is not an ancestor of the region before: no pre-order
    const Region& parent = regions[region.parent];
    if (region.begin < open.back().next || region.begin >= region.end || region.end > parent.end) return false;
    if (region.level != parent.level + 1 || region.level > max_level) return false;
    open.back().next = region.end;
    open.push_back({i, region.begin});
  }
  return true;
}

Result<const Segmenter*> find_segmenter(std::string_view name) {
  std::string known;
  for (const Segmenter* segmenter : all_segmenters()) {
    if (segmenter->name() == name) return segmenter;
    if (!known.empty()) known += ", ";
    known += segmenter->name();
  }
  return Error{ErrorCode::not_found, "no segmenter \"" + std::string(name) + "\"; there are: " + known};
}

std::vector<std::string_view> segmenter_names() {
  std::vector<std::string_view> names;
  for (const Segmenter* segmenter : all_segmenters()) names.push_back(segmenter->name());
  return names;
}

bool Segmenter::takes_profile(std::string_view profile) const {
  const std::vector<std::string_view> known = profiles();
  return profile.empty() || std::find(known.begin(), known.end(), profile) != known.end();
}

Result<void> check_profile(const Segmenter& segmenter, std::string_view profile) {
  if (segmenter.takes_profile(profile)) return {};
  const std::vector<std::string_view> profiles = segmenter.profiles();
  std::string message =
      "segmenter \"" + std::string(segmenter.name()) + "\" has no profile \"" + std::string(profile) + "\"";
  for (const std::string_view name : profiles) {
    message += name == profiles.front() ? "; there are: " : ", ";
    message += name;
  }
  return Error{ErrorCode::invalid, message};
}

Result<const Segmenter*> choose_segmenter(std::string_view name, int level, std::string_view profile) {
  BA_ASSIGN(const Segmenter* segmenter, find_segmenter(name.empty() ? kDefaultSegmenter : name));
  if (level < 0 || level > kMaxLevel) {
    return Error{ErrorCode::invalid,
                 "level " + std::to_string(level) + " is out of range: 1 to " + std::to_string(kMaxLevel)};
  }
  BA_TRY(check_profile(*segmenter, profile));
  return segmenter;
}

}  // namespace blockarch
