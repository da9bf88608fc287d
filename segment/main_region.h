// The region of a page that holds its main content, by a point on the screen and a least size; and the path to it, which pages
// of one site share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "segment/region_boxes.h"
#include "segment/tagtree_model.h"

namespace blockarch {

// From the page to the region that is found, rows left out; never empty. Goes down to the region that contains (gamma, lambda)
// as long as f = alpha × width + beta × height is at least theta, and stops where none does; the first that is smaller is
// left out again.
std::vector<std::uint32_t> find_main_path(const RegionBoxes& regions, const TagTreeParameters& parameters);
inline std::uint32_t find_main_region(const RegionBoxes& regions, const TagTreeParameters& parameters) {
  return find_main_path(regions, parameters).back();
}

// All that contain the point, whatever their size: what the above takes the beginning of.
std::vector<std::uint32_t> path_to_point(const RegionBoxes& regions, double x, double y);
// The size f that a region is measured by.
double region_size(const RegionBox& box, const TagTreeParameters& parameters);

// The tag-tree pattern: "table[2]>td[1]>table[1]>td[1]", "body>div#content>div.post[1]". A step is an element by its id, or
// by its place among the siblings of its name and first class; "*[n]" is the n-th virtual region. "" is the page.
std::string pattern_of(const StyledPage& page, const RegionBoxes& regions, std::uint32_t box);
// The region that the pattern leads to; nothing where the page has none. In the modern profile a pattern that leads nowhere
// from the page is tried from the first region on that is the only one of its name.
std::optional<std::uint32_t> match_pattern(const StyledPage& page, const RegionBoxes& regions,
                                           std::string_view pattern);

// By the pattern where it leads somewhere, else by the parameters.
std::uint32_t main_region_of(const StyledPage& page, const RegionBoxes& regions, const TagTreeModel& model);

}  // namespace blockarch
