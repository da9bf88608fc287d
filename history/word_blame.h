// Since when each run of words of a page stands there: blame, a level deeper.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/blame.h"

namespace blockarch {

struct WordRun {
  std::string text;         // as a reader sees it
  Time since;               // the capture that first had these words here
  VersionId version;        // what that capture showed
  bool or_earlier = false;  // the search ended there (see kMostWordReads)
};

// One list for each block of Blame::blocks, in the order of the text; empty for what has no text.
using WordRuns = std::vector<std::vector<WordRun>>;

// Blocks of the past that are read for one page, the newest first, and bytes of a block whose words are told apart. What is
// beyond is told by the block.
inline constexpr std::uint64_t kMostWordReads = 20'000;
inline constexpr std::uint64_t kLongestWordBlock = 256 << 10;

struct WordBlame {
  Blame blame;
  WordRuns words;
};

// Words are followed through the places of their blocks (history/lineage.h): a word that was in the block before is as old
// as it was there, unless it moved to another place among the words that stayed.
Result<WordBlame> blame_words(const Snapshot& snapshot, const CaptureInfo& capture, const BlameOptions& options = {});

}  // namespace blockarch
