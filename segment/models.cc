// A tree is a chain of loads that depend on each other, so one row after the other leaves the processor idle. Eight rows
// go down a tree together, each step without a branch; leaves lead to themselves until the deepest row has arrived.
#include "segment/models.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace blockarch {
namespace {

constexpr std::size_t kTogether = 8;

struct Node {
  float value;
  std::uint8_t feature;
  std::array<std::uint8_t, 2> step;  // left, right; none at a leaf
};

struct Tree {
  std::uint32_t root;
  std::uint32_t depth;
};

struct Forest {
  std::vector<Node> nodes;
  std::vector<Tree> trees;
};

std::uint32_t depth_of(std::span<const ModelNode> model, std::size_t at) {
  if (model[at].feature == kModelLeaf) return 0;
  return 1 + std::max(depth_of(model, at + 1), depth_of(model, at + model[at].right));
}

Forest planted(std::span<const ModelNode> model) {
  Forest forest;
  for (const ModelNode& node : model) {
    const bool leaf = node.feature == kModelLeaf;
    forest.nodes.push_back({node.value,
                            leaf ? std::uint8_t{0} : node.feature,
                            {leaf ? std::uint8_t{0} : std::uint8_t{1}, leaf ? std::uint8_t{0} : node.right}});
  }
  for (std::size_t root = 0; root < model.size();) {
    forest.trees.push_back({static_cast<std::uint32_t>(root), depth_of(model, root)});
    // Any leaf leads to the next tree.
    std::size_t leaf = root;
    while (model[leaf].feature != kModelLeaf) ++leaf;
    root = leaf + model[leaf].right;
  }
  return forest;
}

template <std::size_t Size>
void evaluate_rows(const Forest& forest, std::span<const std::array<float, Size>> rows, float* out) {
  for (std::size_t first = 0; first < rows.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, rows.size() - first);
    std::array<const float*, kTogether> row{};
    for (std::size_t k = 0; k < kTogether; ++k) row[k] = rows[first + std::min(k, count - 1)].data();
    std::array<float, kTogether> sum{};
    for (const Tree& tree : forest.trees) {
      std::array<std::uint32_t, kTogether> at;
      at.fill(tree.root);
      for (std::uint32_t step = 0; step < tree.depth; ++step) {
        for (std::size_t k = 0; k < kTogether; ++k) {
          const Node& node = forest.nodes[at[k]];
          at[k] += node.step[row[k][node.feature] > node.value ? 1 : 0];
        }
      }
      for (std::size_t k = 0; k < kTogether; ++k) sum[k] += forest.nodes[at[k]].value;
    }
    for (std::size_t k = 0; k < count; ++k) out[first + k] = 1 / (1 + std::exp(-sum[k]));
  }
}

}  // namespace

std::vector<float> main_odds(const PageView& view) {
  static const Forest forest = planted(kMainModel);
  const auto count = static_cast<std::uint32_t>(view.page().lines.size());
  std::vector<float> odds(count);
  std::array<LineFeatures, 64> rows;
  for (std::uint32_t first = 0; first < count; first += rows.size()) {
    const std::uint32_t size = std::min<std::uint32_t>(rows.size(), count - first);
    for (std::uint32_t k = 0; k < size; ++k) rows[k] = view.line(first + k);
    evaluate_rows<kLineFeatures>(forest, std::span(rows).first(size), odds.data() + first);
  }
  return odds;
}

std::vector<float> block_odds(const PageView& view, std::span<const std::uint32_t> boxes) {
  static const Forest forest = planted(kBlockModel);
  std::vector<float> odds(boxes.size());
  std::array<BoxFeatures, 64> rows;
  for (std::size_t first = 0; first < boxes.size(); first += rows.size()) {
    const std::size_t size = std::min(rows.size(), boxes.size() - first);
    for (std::size_t k = 0; k < size; ++k) rows[k] = view.box(boxes[first + k]);
    evaluate_rows<kBoxFeatures>(forest, std::span(rows).first(size), odds.data() + first);
  }
  return odds;
}

}  // namespace blockarch
