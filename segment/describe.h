// What a person sees in a page: its blocks with what each one is for (label), what it is about (topic) and where it
// stands (path). Derived from the page's bytes whenever it is asked for; nothing of it is stored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "segment/label.h"
#include "segment/segmenter.h"
#include "segment/topic.h"

namespace blockarch {

struct DescribeOptions {
  SegmentOptions page;
  TopicOptions topics;
};

struct DescribedBlock {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;             // one past the last byte
  std::uint32_t parent = kNoParent;  // an index into the same list
  std::uint8_t level = 1;            // 1 for those directly in the page
  BlockLabel label = BlockLabel::none;
  std::string topic;  // UTF-8; empty where the block has no words
  std::string path;
};

// The page as `segmenter` cuts it, without the root. Of `auto` these are its visible blocks (visible_blocks.h), which
// are coarser than what it stores. A page that is not cut is one block. In pre-order.
std::vector<DescribedBlock> describe_page(ByteView payload, const Segmenter& segmenter, const DescribeOptions& options);

// Any regions of the page; one description for each, in the same order, the root's with level 0. The topic is a
// function of the region's own bytes, charset and kind of markup; the label also depends on the page around it.
// What the segmentation names as main is main, and nothing else.
std::vector<DescribedBlock> describe_regions(ByteView payload, const Segmentation& segmentation,
                                             const DescribeOptions& options);

}  // namespace blockarch
