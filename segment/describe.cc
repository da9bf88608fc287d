#include "segment/describe.h"

#include "segment/auto.h"

namespace blockarch {

std::vector<DescribedBlock> describe_regions(ByteView, const Segmentation& segmentation, const DescribeOptions&) {
  std::vector<DescribedBlock> blocks;
  blocks.reserve(segmentation.regions.size());
  for (const Region& region : segmentation.regions) {
    blocks.push_back({region.begin, region.end, region.parent, region.level, BlockLabel::none, {}, region.path});
  }
  return blocks;
}

std::vector<DescribedBlock> describe_page(ByteView payload, const Segmenter& segmenter,
                                          const DescribeOptions& options) {
  const Segmentation segmentation = segmenter.segment(payload, options.page);
  std::vector<DescribedBlock> blocks = describe_regions(payload, segmentation, options);
  if (blocks.size() == 1) {
    blocks.front().level = 1;
    return blocks;
  }
  blocks.erase(blocks.begin());
  for (DescribedBlock& block : blocks) block.parent = block.parent == 0 ? kNoParent : block.parent - 1;
  return blocks;
}

}  // namespace blockarch
