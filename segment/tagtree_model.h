// What tagtree goes by: which boxes are regions, the five parameters, and what was learnt about a site.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

enum class TagTreeProfile : std::uint8_t {
  paper,   // regions are <table>, <tr>, <td> and <th>
  modern,  // regions are all boxes that lay out
};

// The paper's five, in pixels. Where `relative`, gamma and lambda are parts of the page's width and height and theta of
// alpha × width + beta × height of the page (the paper allows percents for gamma). The defaults are what training gives
// for hundreds of pages of different sites: for a site that nothing was learnt about.
struct TagTreeParameters {
  double gamma = 0.65;
  double lambda = 0.6;
  double alpha = 0.5;
  double beta = 0.5;
  double theta = 0.8;
  bool relative = true;

  bool operator==(const TagTreeParameters&) const = default;
};

inline constexpr std::size_t kMaxPattern = 4096;

// What is learnt about a site, as one line: "modern;gamma=0.5;…;pattern=…". It is also a profile of the segmenter.
struct TagTreeModel {
  TagTreeProfile profile = TagTreeProfile::modern;
  TagTreeParameters parameters;
  std::string pattern;  // "" = none

  bool operator==(const TagTreeModel&) const = default;
};
std::string encode_model(const TagTreeModel& model);
// Invalid for what encode_model cannot have written. Parts that are missing have their defaults.
Result<TagTreeModel> decode_model(std::string_view text);

}  // namespace blockarch
