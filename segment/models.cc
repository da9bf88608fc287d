// Going down a tree is a chain of loads that depend on each other and of branches that nobody can predict. Instead the
// nodes of a tree are asked for sixteen rows at once: a row that goes right there cannot end in one of the leaves to the
// left, and the first leaf that is left over is where it ends. More comparisons, but all of them in vectors.
//
// Rows of one page are alike: they share all that is said of the page, and most names and tags stand nowhere near them.
// So for each batch of rows the nodes that all of them leave on the same side are decided once.
#include "segment/models.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace blockarch {
namespace {

constexpr std::size_t kBatch = 128;
constexpr std::size_t kTogether = 16;
using Leaves = std::int32_t;  // a bit for each leaf of a tree, the leftmost the lowest
constexpr std::size_t kMaxLeaves = 30;

// Compilers make vectors of loops only now and then; these are vectors wherever GCC or Clang compile.
constexpr std::size_t kLanes = 4;
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using LeafSets = Leaves __attribute__((vector_size(kLanes * sizeof(Leaves))));
constexpr std::size_t kVectors = kTogether / kLanes;

struct Node {
  float value;
  std::uint32_t feature;
  Leaves left;
  Leaves right;
  std::uint16_t left_nodes;   // how many follow that stand to its left
  std::uint16_t right_nodes;  // and after those to its right
};

// Of a forest, or of what is left of it for a batch.
struct Tree {
  std::uint32_t node_end;
  std::uint32_t first_leaf;
  Leaves gone;  // where none of the rows ends
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

// The leaves among the model's entries from `begin` to `end`, of the tree that begins with `root`.
Leaves leaf_set(std::span<const ModelNode> model, std::size_t root, std::size_t begin, std::size_t end) {
  return ((Leaves{1} << leaves_between(model, begin, end)) - 1) << leaves_between(model, root, begin);
}

// One past the last entry of the subtree that begins with `at`.
std::size_t subtree_end(std::span<const ModelNode> model, std::size_t at) {
  while (model[at].feature != kModelLeaf) at += model[at].right;
  return at + 1;
}

Forest planted(std::span<const ModelNode> model) {
  Forest forest;
  for (std::size_t root = 0; root < model.size();) {
    const std::size_t end = subtree_end(model, root);
    assert(leaves_between(model, root, end) <= kMaxLeaves);
    const auto first_leaf = static_cast<std::uint32_t>(forest.leaves.size());
    for (std::size_t i = root; i < end; ++i) {
      if (model[i].feature == kModelLeaf) {
        forest.leaves.push_back(model[i].value);
        continue;
      }
      const std::size_t right = i + model[i].right;
      const std::size_t right_end = subtree_end(model, right);
      // A tree has one leaf more than it has nodes.
      const auto nodes_between = [&](std::size_t from, std::size_t to) {
        return static_cast<std::uint16_t>(leaves_between(model, from, to) - 1);
      };
      forest.nodes.push_back({model[i].value, model[i].feature, leaf_set(model, root, i, right),
                              leaf_set(model, root, right, right_end), nodes_between(i + 1, right),
                              nodes_between(right, right_end)});
    }
    forest.trees.push_back({static_cast<std::uint32_t>(forest.nodes.size()), first_leaf, 0});
    root = end;
  }
  return forest;
}

// A batch of rows by features, sixteen rows side by side.
template <std::size_t Size>
class Batch {
 public:
  using Column = std::array<Floats, kVectors>;
  using Group = std::array<Column, Size>;

  // Rows that are missing in the last vector repeat the last one. `write(k, slots)` writes the k-th row.
  template <typename Write>
  void fill(std::size_t rows, const Write& write) {
    const std::size_t vectors = (rows + kLanes - 1) / kLanes;
    Lanes low;
    Lanes high;
    low.fill(Floats{} + std::numeric_limits<float>::infinity());
    high.fill(Floats{} - std::numeric_limits<float>::infinity());
    for (std::size_t first = 0; first < vectors; first += kVectors) {
      Group& group = groups_[first / kVectors];
      group = {};
      const std::size_t here = std::min(kVectors, vectors - first);
      for (std::size_t k = 0; k < here * kLanes; ++k) {
        const std::size_t row = std::min(first * kLanes + k, rows - 1);
        write(row, FeatureSlots{reinterpret_cast<float*>(group.data()) + k, kTogether});
      }
      if (here == kVectors) {
        widen(group, kVectors, low, high);
      } else {
        widen(group, here, low, high);
      }
    }
    for (std::size_t i = 0; i < Size; ++i) {
      least_[i] = std::min(std::min(low[i][0], low[i][1]), std::min(low[i][2], low[i][3]));
      most_[i] = std::max(std::max(high[i][0], high[i][1]), std::max(high[i][2], high[i][3]));
    }
  }

  const Group& group(std::size_t index) const { return groups_[index]; }
  bool all_above(std::size_t feature, float value) const { return least_[feature] > value; }
  bool any_above(std::size_t feature, float value) const { return most_[feature] > value; }

 private:
  using Lanes = std::array<Floats, Size>;

  static void widen(const Group& group, std::size_t vectors, Lanes& low, Lanes& high) {
    for (std::size_t i = 0; i < Size; ++i) {
      for (std::size_t v = 0; v < vectors; ++v) {
        low[i] = group[i][v] < low[i] ? group[i][v] : low[i];
        high[i] = group[i][v] > high[i] ? group[i][v] : high[i];
      }
    }
  }

  std::array<Group, kBatch / kTogether> groups_;
  std::array<float, Size> least_;
  std::array<float, Size> most_;
};

// What is left to ask for a batch: the nodes where not all rows go the same way.
template <std::size_t Size>
void prune(const Forest& forest, const Batch<Size>& batch, Forest& pruned) {
  std::uint32_t kept = 0;
  const Node* node = forest.nodes.data();
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    Leaves gone = 0;
    Leaves unreached = 0;
    for (const Node* const end = forest.nodes.data() + tree.node_end; node != end; ++node) {
      if ((node->left & unreached) != 0) {
        node += node->left_nodes + node->right_nodes;
      } else if (batch.all_above(node->feature, node->value)) {
        gone |= node->left;
        node += node->left_nodes;
      } else if (batch.any_above(node->feature, node->value)) {
        pruned.nodes[kept++] = *node;
      } else {
        unreached |= node->right;
      }
    }
    pruned.trees[t] = {kept, tree.first_leaf, gone};
  }
}

// The number of the lowest bit that is not set, by the exponent of a float.
LeafSets first_left(LeafSets gone) {
  const LeafSets lowest = ~gone & (gone + 1);
  const Floats power = __builtin_convertvector(lowest, Floats);
  constexpr int kMantissaBits = 23;
  constexpr int kExponentOfOne = 127;
  return (std::bit_cast<LeafSets>(power) >> kMantissaBits) - kExponentOfOne;
}

template <std::size_t Size>
std::array<Floats, kVectors> sums_of(const Forest& pruned, const std::vector<float>& all_leaves,
                                     const std::array<std::array<Floats, kVectors>, Size>& columns) {
  std::array<Floats, kVectors> sums{};
  const Node* node = pruned.nodes.data();
  for (const Tree& tree : pruned.trees) {
    const float* const leaves = all_leaves.data() + tree.first_leaf;
    const Node* const end = pruned.nodes.data() + tree.node_end;
    if (node == end) {
      const float value = leaves[std::countr_one(static_cast<std::uint32_t>(tree.gone))];
      for (Floats& sum : sums) sum += value;
      continue;
    }
    std::array<LeafSets, kVectors> gone;
    gone.fill(LeafSets{} + tree.gone);
    for (; node != end; ++node) {
      const std::array<Floats, kVectors>& column = columns[node->feature];
      for (std::size_t v = 0; v < kVectors; ++v) gone[v] |= (column[v] > node->value) & node->left;
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      const LeafSets leaf = first_left(gone[v]);
      sums[v] += Floats{leaves[leaf[0]], leaves[leaf[1]], leaves[leaf[2]], leaves[leaf[3]]};
    }
  }
  return sums;
}

// `write(k, slots)` writes the k-th row's features.
template <std::size_t Size, typename Write>
std::vector<float> evaluate(const Forest& forest, std::size_t count, const Write& write) {
  Forest pruned{std::vector<Node>(forest.nodes.size()), {}, std::vector<Tree>(forest.trees.size())};
  std::vector<float> odds(count);
  Batch<Size> batch;
  for (std::size_t start = 0; start < count; start += kBatch) {
    const std::size_t rows = std::min(kBatch, count - start);
    batch.fill(rows, [&](std::size_t k, const FeatureSlots& slots) { write(start + k, slots); });
    prune(forest, batch, pruned);
    for (std::size_t first = 0; first < rows; first += kTogether) {
      const std::array<Floats, kVectors> sums = sums_of<Size>(pruned, forest.leaves, batch.group(first / kTogether));
      const std::size_t end = std::min(kTogether, rows - first);
      for (std::size_t k = 0; k < end; ++k) {
        odds[start + first + k] = 1 / (1 + std::exp(-sums[k / kLanes][k % kLanes]));
      }
    }
  }
  return odds;
}

}  // namespace

std::vector<float> main_odds(const PageView& view) {
  static const Forest forest = planted(kMainModel);
  return evaluate<kLineFeatures>(forest, view.page().lines.size(), [&view](std::size_t k, const FeatureSlots& slots) {
    view.line(static_cast<std::uint32_t>(k), slots);
  });
}

std::vector<float> block_odds(const PageView& view, std::span<const std::uint32_t> boxes) {
  static const Forest forest = planted(kBlockModel);
  return evaluate<kBoxFeatures>(
      forest, boxes.size(), [&view, boxes](std::size_t k, const FeatureSlots& slots) { view.box(boxes[k], slots); });
}

}  // namespace blockarch
