// From a page and its regions to what the store keeps: blocks, block tree and layout. The inverse is join_page.
#pragma once

#include <deque>
#include <vector>

#include "base/bytes.h"
#include "objects/block_tree.h"
#include "objects/layout.h"
#include "objects/recent_blocks.h"
#include "segment/segmenter.h"

namespace blockarch {

// A leaf longer than this is stored as a list of content-defined chunks.
inline constexpr std::uint64_t kMaxWholeBlock = 4096;

struct PageObject {
  ObjectId id;
  ByteView content;
};

// Views point into the payload, which must outlive this, and into `owned`.
struct SplitPage {
  std::vector<PageObject> objects;  // blocks and lists, each id once, in page order
  Layout layout;
  BlockTree tree;

  SplitPage() = default;
  SplitPage(SplitPage&&) = default;
  SplitPage& operator=(SplitPage&&) = default;

  std::deque<Bytes> owned;
};

// Total for every payload and every well-formed segmentation of it; one that is not well formed (a segmenter's bug) is
// replaced by the whole page as one block. Whoever splits many pages of one history gives them `recent`.
SplitPage split_page(ByteView payload, const Segmentation& segmentation, RecentBlocks* recent = nullptr);

}  // namespace blockarch
