// How deep the pages of a URL are best cut, learnt from its history and kept in the archive.
//
// Blocks that always change together are better one block; a block of which little changes each time is better several. Both
// are found in the captures there are, written as exceptions to how `auto` cuts (segment/cut_rules.h), and tried out: the
// history is stored again, in memory, in each way. The way that takes least for the first half of the last versions is kept where
// it takes clearly less for the next quarter too; the last quarter, which had no part in it, tells what it saves. What is
// stored already is never touched.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/snapshot.h"
#include "engine/writer.h"
#include "segment/cut_rules.h"

namespace blockarch {

// A way to cut. The default is level 0 without rules: as `auto` does.
struct CutChoice {
  int level = 0;
  CutRules rules;

  bool is_default() const { return level == 0 && rules.empty(); }
  bool operator==(const CutChoice&) const = default;
};

// What it costs to store some versions of a page after one another.
struct CutCost {
  std::uint64_t stored = 0;   // bytes of objects as the loose store keeps them, with their keys
  std::uint64_t objects = 0;  // new ones
  std::uint64_t fresh = 0;    // bytes of blocks that are new in each version: what a diff would show
  bool operator==(const CutCost&) const = default;
};

struct LearntLevel {
  std::string url;
  CutChoice choice;
  std::uint64_t learnt_from = 0;  // versions
  std::uint64_t checked_on = 0;   // versions after those, which had no part in the choice
  CutCost by_default;             // of the versions it was checked on
  CutCost by_choice;

  bool operator==(const LearntLevel&) const = default;
};

inline constexpr std::size_t kLevelVersions = 96;       // to learn from and to check on
inline constexpr std::uint64_t kLevelBytes = 96 << 20;  // of pages held in memory
inline constexpr double kLevelGain = 0.02;              // what a choice must save to be kept

// Nothing where there are too few versions (less than eight), or no HTML or XML.
Result<std::optional<LearntLevel>> learn_level(const Snapshot& snapshot, UrlNumber url);

// Kept among the archive's settings, under the hash of the URL.
Result<void> put_level(Writer& writer, const LearntLevel& level);
Result<void> erase_level(Writer& writer, const std::string& url);
Result<std::optional<LearntLevel>> find_level(const Snapshot& snapshot, const std::string& url);
// By URL, as it was first given. What cannot be read is left out.
Result<std::map<std::string, LearntLevel>> all_levels(const Snapshot& snapshot);

// What was learnt, for many captures in a row; may be asked by many threads at once.
class LevelBook {
 public:
  static Result<LevelBook> open(const Snapshot& snapshot);
  // Sets level and profile where something was learnt about the URL and the caller did not choose a segmenter, level or
  // profile.
  void apply(CaptureRequest& request) const;
  std::size_t size() const { return choices_.size(); }

 private:
  std::map<std::string, CutChoice> choices_;  // by URL in its normal form; those that are not the default
};

std::string encode_level(const LearntLevel& level);
std::optional<LearntLevel> decode_level(std::string_view text);

}  // namespace blockarch
