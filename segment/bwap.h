// The `bwap` segmenter: blocks by the rules of the paper that the block archive comes from (bwap_rules.h), level by level.
//
// ExtractBlock walks down from the page: a node that is a block goes to the pool, any other node is looked into, down to
// kBwapMaxDepth. That is level 1. The content of each block is then the page of the next round, until the level asked for;
// a block in which nothing is found stays whole.
//
// Beyond the paper, whose method fails on pages that are mostly text, texts that no rule makes a block are cut into pieces
// (text_pieces.h):
//   a page in whose blocks less than half of its text stands: its other texts are blocks of level 1;
//   a block of more than kLongText characters in which the rules find nothing: its texts are blocks of the next level;
//   in the profile "modern" also what stands beside the blocks of a page or block: the archive then keeps little text in
//   the layout.
// Plain text (no markup at all) is cut at blank lines.
//
// The level where none is given is kBwapLevel. Profiles: "modern" (the default) and "2008".
#pragma once

#include "segment/segmenter.h"

namespace blockarch {

inline constexpr int kBwapLevel = 3;
inline constexpr int kBwapMaxDepth = 256;
inline constexpr std::uint32_t kLongText = 2000;

const Segmenter& bwap_segmenter();

// With another MaxDepth: a block is found at most this many levels of the page's tree below where a round begins.
Segmentation bwap_with_max_depth(ByteView payload, const SegmentOptions& options, int max_depth);

}  // namespace blockarch
