// How the layouts of two pages differ: what is left of them when the blocks are taken out.
#pragma once

#include <vector>

#include "history/page_diff.h"

namespace blockarch {

// In order. White space, and how many blocks stand next to each other, do not count. Needs the pages and their blocks only.
std::vector<LayoutChange> diff_layouts(const PageDiff& diff, WorkLimit& limit);

}  // namespace blockarch
