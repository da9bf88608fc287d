// Exceptions to how `auto` cuts a page, by the paths of regions: what is to stay whole, what is to be cut finer. Learnt from a
// URL's history (history/levels.h) and handed to the segmenter as its profile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockarch {

inline constexpr std::size_t kMaxCutRules = 200;

struct CutRules {
  std::vector<std::string> whole;  // sorted paths, as in Region::path
  std::vector<std::string> fine;   // sorted; everything below them too

  bool empty() const { return whole.empty() && fine.empty(); }
  bool is_whole(const std::string& path) const;
  bool is_fine(const std::string& path) const;

  bool operator==(const CutRules&) const = default;
};

// "whole:body/nav fine:body/main/p"; empty for no rules.
std::string encode_cut_rules(const CutRules& rules);
// Nothing where the text is not one that encode_cut_rules() gives.
std::optional<CutRules> decode_cut_rules(std::string_view text);

}  // namespace blockarch
