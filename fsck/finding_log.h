// Findings as they come up. A kind that comes up very often is listed so many times and then counted, so that a check of
// a thoroughly damaged archive stays small.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fsck/finding_kinds.h"

namespace blockarch {

inline constexpr std::uint64_t kMaxFindingsOfKind = 1000;

class FindingLog {
 public:
  void add(const FindingKind& kind, std::string message);
  bool empty() const { return findings_.empty(); }

  // In the order they came up, and at the end a line for each kind that came up more than kMaxFindingsOfKind times.
  std::vector<Finding> take();

 private:
  std::vector<Finding> findings_;
  std::map<std::string_view, std::uint64_t> counts_;
};

}  // namespace blockarch
