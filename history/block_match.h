// Which block of one page is which of another.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "history/page_blocks.h"
#include "history/sequence_match.h"

namespace blockarch {

struct BlockPair {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  bool moved = false;  // not in the order that most of the page (by its text) kept
};

// By id first: in order, then elsewhere. What is left is matched between neighbours that are matched, by how alike the
// words are and whether the place is the same; then anywhere on the page, by words that are rare there. Each block is in at
// most one pair; in the order of the new page.
std::vector<BlockPair> match_blocks(ByteView old_page, const PageBlocks& before, ByteView new_page,
                                    const PageBlocks& after, WorkLimit& limit);

}  // namespace blockarch
