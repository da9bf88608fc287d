// Versions of a page stored again in memory, to see what a way of cutting costs, and to see which blocks change together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "history/levels.h"

namespace blockarch {

struct ReplayPage {
  Bytes bytes;
  std::string media_type;
  std::string charset;
};

// What it costs to store `pages` after `before` (which may be empty) was stored.
CutCost replay(std::span<const ReplayPage> before, std::span<const ReplayPage> pages, const CutChoice& choice);

// Ways of cutting that the changes between these pages speak for; the default is not among them.
std::vector<CutChoice> propose(std::span<const ReplayPage> pages);

}  // namespace blockarch
