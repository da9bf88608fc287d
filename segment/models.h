// The two models behind visible blocks and labels: how likely a line is main content, and how likely a box is a block
// that a person would mark. Both are sums of small decision trees over box_features.h, trained by
// scripts/train_labels.py and written down as tables (main_model.cc, block_model.cc).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "segment/box_features.h"

namespace blockarch {

// Trees one after the other, each in pre-order: the left child follows its parent, the right one is `right` ahead. A
// leaf's `right` leads to the next tree.
struct ModelNode {
  std::uint8_t feature;  // kModelLeaf: `value` is added to the sum
  std::uint8_t right;    // at least 1
  float value;           // features up to this go left
};
inline constexpr std::uint8_t kModelLeaf = 255;

extern const std::span<const ModelNode> kMainModel;
extern const std::span<const ModelNode> kBlockModel;

// The sum over all trees, made 0 to 1: for each line of the page, and for each of the boxes named. Pure.
std::vector<float> main_odds(const PageView& view);
std::vector<float> block_odds(const PageView& view, std::span<const std::uint32_t> boxes);

}  // namespace blockarch
