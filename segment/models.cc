// Going down a tree is a chain of loads that depend on each other and of branches that nobody can predict. Instead every
// node of a tree is asked, for sixteen rows at once: a row that goes right there cannot end in one of the leaves to the
// left, and the first leaf that is left over is where it ends. More comparisons, but all of them in vectors.
#include "segment/models.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

namespace blockarch {
namespace {

constexpr std::size_t kTogether = 16;
using Leaves = std::int32_t;  // a bit for each leaf of a tree, the leftmost the lowest
constexpr std::size_t kMaxLeaves = 31;

// Compilers make vectors of loops only now and then; these are vectors wherever GCC or Clang compile.
constexpr std::size_t kLanes = 4;
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using LeafSets = Leaves __attribute__((vector_size(kLanes * sizeof(Leaves))));
constexpr std::size_t kVectors = kTogether / kLanes;

struct Node {
  float value;
  std::uint32_t feature;
  Leaves left;
};

struct Tree {
  std::uint32_t node_end;
  std::uint32_t first_leaf;
};

struct Forest {
  std::vector<Node> nodes;
  std::vector<float> leaves;
  std::vector<Tree> trees;
};

std::size_t leaves_between(std::span<const ModelNode> model, std::size_t begin, std::size_t end) {
  const auto part = model.subspan(begin, end - begin);
  return static_cast<std::size_t>(
      std::count_if(part.begin(), part.end(), [](const ModelNode& node) { return node.feature == kModelLeaf; }));
}

Forest planted(std::span<const ModelNode> model) {
  Forest forest;
  for (std::size_t root = 0; root < model.size();) {
    // Any leaf leads to the next tree.
    std::size_t leaf = root;
    while (model[leaf].feature != kModelLeaf) ++leaf;
    const std::size_t end = leaf + model[leaf].right;
    assert(leaves_between(model, root, end) <= kMaxLeaves);
    const auto first_leaf = static_cast<std::uint32_t>(forest.leaves.size());
    for (std::size_t i = root; i < end; ++i) {
      if (model[i].feature == kModelLeaf) {
        forest.leaves.push_back(model[i].value);
        continue;
      }
      const std::size_t before = leaves_between(model, root, i);
      const std::size_t inside = leaves_between(model, i, i + model[i].right);
      forest.nodes.push_back({model[i].value, model[i].feature, ((Leaves{1} << inside) - 1) << before});
    }
    forest.trees.push_back({static_cast<std::uint32_t>(forest.nodes.size()), first_leaf});
    root = end;
  }
  return forest;
}

template <std::size_t Size>
using Columns = std::array<std::array<Floats, kVectors>, Size>;

// What is missing of the last sixteen rows is whatever was there before; nobody reads its results.
template <std::size_t Size>
void fill_columns(std::span<const std::array<float, Size>> rows, Columns<Size>& columns) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t i = 0; i < Size; ++i) columns[i][k / kLanes][k % kLanes] = rows[k][i];
  }
}

template <std::size_t Size>
void evaluate_rows(const Forest& forest, std::span<const std::array<float, Size>> rows, float* out) {
  Columns<Size> columns{};
  for (std::size_t first = 0; first < rows.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, rows.size() - first);
    fill_columns<Size>(rows.subspan(first, count), columns);
    std::array<float, kTogether> sum{};
    const Node* node = forest.nodes.data();
    for (const Tree& tree : forest.trees) {
      std::array<LeafSets, kVectors> gone{};
      for (const Node* const end = forest.nodes.data() + tree.node_end; node != end; ++node) {
        const std::array<Floats, kVectors>& column = columns[node->feature];
        const Floats value = {node->value, node->value, node->value, node->value};
        const LeafSets left = {node->left, node->left, node->left, node->left};
        for (std::size_t v = 0; v < kVectors; ++v) gone[v] |= (column[v] > value) & left;
      }
      const float* const leaves = forest.leaves.data() + tree.first_leaf;
      for (std::size_t k = 0; k < kTogether; ++k) {
        sum[k] += leaves[std::countr_one(static_cast<std::uint32_t>(gone[k / kLanes][k % kLanes]))];
      }
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
    for (std::uint32_t k = 0; k < size; ++k) view.line(first + k, rows[k]);
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
    for (std::size_t k = 0; k < size; ++k) view.box(boxes[first + k], rows[k]);
    evaluate_rows<kBoxFeatures>(forest, std::span(rows).first(size), odds.data() + first);
  }
  return odds;
}

}  // namespace blockarch
