// Going down a tree is a chain of loads that depend on each other and of branches that nobody can predict. But rows of
// one page are alike: they share all that is said of the page, and most names and tags stand nowhere near them. So for
// each batch of rows the trees are cut down to the nodes where not all go the same way, about one in ten. Those are asked
// for sixteen rows at once, from the leaves up: each chooses between what the nodes below it came to.
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
constexpr std::size_t kTogether = kFeatureStep;

// Compilers make vectors of loops only now and then; these are vectors wherever GCC or Clang compile.
constexpr std::size_t kLanes = 4;
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
constexpr std::size_t kVectors = kTogether / kLanes;

// A batch of rows by features, sixteen rows side by side.
template <std::size_t Size>
class Batch {
 public:
  using Column = std::array<Floats, kVectors>;
  using Group = std::array<Column, Size>;

  // Rows that are missing in the last vector repeat the last one. `write(k, first)` writes the k-th row.
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
        write(row, reinterpret_cast<float*>(group.data()) + k);
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

// What a node chooses from: a leaf, or what the last nodes before it came to.
struct Operand {
  bool is_leaf = true;
  float leaf = 0;
};

// A node that is left over. They stand after the nodes below them, the left ones first.
struct Choice {
  enum class Between : std::uint8_t { leaves, left_node, right_node, nodes };

  float value;
  float left_leaf;
  float right_leaf;
  std::uint8_t feature;
  Between between;
};

struct Tree {
  std::uint32_t end;  // of its choices
  float leaf;         // what it comes to where there are none
};

struct Pruned {
  std::vector<Choice> choices;
  std::vector<Tree> trees;
};

constexpr std::size_t kMaxDepth = 32;

template <std::size_t Size>
class Pruner {
 public:
  Pruner(std::span<const ModelNode> model, const Batch<Size>& batch, Pruned& pruned)
      : model_(model), batch_(batch), pruned_(pruned) {}

  void run() {
    pruned_.choices.clear();
    pruned_.trees.clear();
    for (std::size_t root = 0; root < model_.size(); root = next_) {
      const Operand result = visit(root, 0);
      pruned_.trees.push_back({static_cast<std::uint32_t>(pruned_.choices.size()), result.leaf});
    }
  }

 private:
  Operand visit(std::size_t at, std::size_t depth) {
    assert(depth < kMaxDepth);
    for (; model_[at].feature != kModelLeaf;) {
      const ModelNode& node = model_[at];
      const std::size_t right = at + node.right;
      if (batch_.all_above(node.feature, node.value)) {
        at = right;
      } else if (!batch_.any_above(node.feature, node.value)) {
        ++at;
      } else {
        const Operand lower = visit(at + 1, depth + 1);
        const Operand upper = visit(right, depth + 1);
        pruned_.choices.push_back({node.value, lower.leaf, upper.leaf, node.feature, between(lower, upper)});
        return {false, 0};
      }
    }
    next_ = at + model_[at].right;
    return {true, model_[at].value};
  }

  static Choice::Between between(const Operand& left, const Operand& right) {
    if (left.is_leaf) return right.is_leaf ? Choice::Between::leaves : Choice::Between::right_node;
    return right.is_leaf ? Choice::Between::left_node : Choice::Between::nodes;
  }

  std::span<const ModelNode> model_;
  const Batch<Size>& batch_;
  Pruned& pruned_;
  std::size_t next_ = 0;  // where the next tree begins
};

using Sixteen = std::array<Floats, kVectors>;
using Bits = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

Bits bits_of(float value) {
  return Bits{} + std::bit_cast<std::int32_t>(value);
}
// Where the column is above the value `right`, else `left`, without a branch; `bits` are those in which the two differ.
Floats pick(Floats column, float value, Bits left, Bits bits) {
  return reinterpret_cast<Floats>(left ^ ((column > value) & bits));
}
Floats pick(Floats column, float value, Floats left, Floats right) {
  return column > value ? right : left;
}

// What is chosen from is on the top of the stack, the right one above the left one; what is chosen takes its place.
Sixteen* choose(const Choice& choice, const Sixteen& column, Sixteen* top) {
  switch (choice.between) {
    case Choice::Between::leaves: {
      const Bits left = bits_of(choice.left_leaf);
      const Bits bits = left ^ bits_of(choice.right_leaf);
      ++top;
      for (std::size_t v = 0; v < kVectors; ++v) (*top)[v] = pick(column[v], choice.value, left, bits);
      return top;
    }
    case Choice::Between::left_node: {
      const Floats right = Floats{} + choice.right_leaf;
      for (std::size_t v = 0; v < kVectors; ++v) (*top)[v] = pick(column[v], choice.value, (*top)[v], right);
      return top;
    }
    case Choice::Between::right_node: {
      const Floats left = Floats{} + choice.left_leaf;
      for (std::size_t v = 0; v < kVectors; ++v) (*top)[v] = pick(column[v], choice.value, left, (*top)[v]);
      return top;
    }
    case Choice::Between::nodes:
      break;
  }
  Sixteen* const left = top - 1;
  for (std::size_t v = 0; v < kVectors; ++v) (*left)[v] = pick(column[v], choice.value, (*left)[v], (*top)[v]);
  return left;
}

template <std::size_t Size>
Sixteen sums_of(const Pruned& pruned, const std::array<Sixteen, Size>& columns) {
  Sixteen sums{};
  std::array<Sixteen, kMaxDepth + 2> stack;  // the first is none
  const Choice* choice = pruned.choices.data();
  for (const Tree& tree : pruned.trees) {
    const Choice* const end = pruned.choices.data() + tree.end;
    if (choice == end) {
      for (Floats& sum : sums) sum += tree.leaf;
      continue;
    }
    // The first of a tree's nodes chooses between leaves.
    Sixteen* top = stack.data();
    for (; choice != end; ++choice) top = choose(*choice, columns[choice->feature], top);
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] += (*top)[v];
  }
  return sums;
}

// `write(k, first)` writes the k-th row's features.
template <std::size_t Size, typename Write>
std::vector<float> evaluate(std::span<const ModelNode> model, std::size_t count, const Write& write) {
  Pruned pruned;
  std::vector<float> odds(count);
  Batch<Size> batch;
  for (std::size_t start = 0; start < count; start += kBatch) {
    const std::size_t rows = std::min(kBatch, count - start);
    batch.fill(rows, [&](std::size_t k, float* first) { write(start + k, first); });
    Pruner<Size>(model, batch, pruned).run();
    for (std::size_t first = 0; first < rows; first += kTogether) {
      const Sixteen sums = sums_of<Size>(pruned, batch.group(first / kTogether));
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
  return evaluate<kLineFeatures>(kMainModel, view.page().lines.size(),
                                 [&](std::size_t k, float* first) { view.line(static_cast<std::uint32_t>(k), first); });
}

std::vector<float> block_odds(const PageView& view, std::span<const std::uint32_t> boxes) {
  return evaluate<kBoxFeatures>(kBlockModel, boxes.size(),
                                [&](std::size_t k, float* first) { view.box(boxes[k], first); });
}

}  // namespace blockarch
