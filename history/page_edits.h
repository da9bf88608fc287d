// How to make the bytes of one page from those of another: what a program needs to follow a page without its archive.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "history/page_diff.h"

namespace blockarch {

// One after the other they give the new page.
struct PageEdit {
  bool copy = false;        // of the old page; else these bytes of the new one are put in
  std::uint64_t begin = 0;  // in the old page for a copy, in the new one otherwise
  std::uint64_t end = 0;

  bool operator==(const PageEdit&) const = default;
};

// Blocks that moved are copied from where they stood. Exact for every pair of pages.
std::vector<PageEdit> page_edits(const PageDiff& diff, WorkLimit limit = {});

// invalid where an edit reaches beyond a page.
Result<Bytes> apply_edits(ByteView old_page, const std::vector<PageEdit>& edits, ByteView new_page);

}  // namespace blockarch
