// The texts that stand between a page's elements.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace blockarch {

struct PageText {
  std::uint32_t begin;
  std::uint32_t end;
};

// Appends the runs of text in a stretch of the page that holds no element, without white space around them: comments and
// tags that have no element (they are misnested, or close nothing) end a run. In `raw` text nothing is markup.
void find_texts(ByteView payload, PageText gap, bool raw, std::vector<PageText>& texts);

}  // namespace blockarch
