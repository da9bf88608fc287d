// A diff for people to read.
#pragma once

#include "cli/output.h"
#include "history/version_diff.h"

namespace blockarch {

enum class DiffView {
  normal,  // each changed block: where, and the words that changed with a few around them
  stat,    // how many blocks changed in each part of the page
  words,   // as normal, with the whole text
  source,  // as normal, with the source instead of the text; the layout too
  blocks,  // every block of both pages
};

void print_diff(Output& out, VersionDiff& diff, DiffView view);

// "2 blocks changed, 1 moved; 12 the same; layout changed in 3 places"
std::string summary_of(const ChangeCounts& counts);

}  // namespace blockarch
