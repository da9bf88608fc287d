// Which block of the version before a block was, by ids first and by place for the rest. Made for thousands of versions in a
// row: contents are looked at only where the place leaves a choice, and only while a budget lasts.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "history/leaves.h"

namespace blockarch {

inline constexpr std::uint32_t kNoLeaf = 0xffffffff;

struct LeafMatch {
  std::uint32_t older = kNoLeaf;  // an index into the older leaves; kNoLeaf where the block was added
  bool same = false;              // the very same block, perhaps at another place
};

// How alike two blocks are, 0 to 1.
using LeafSimilarity = std::function<double(const Leaf& older, const Leaf& newer)>;

// By their lengths alone: what can be said without reading them.
double size_similarity(const Leaf& older, const Leaf& newer);

// One match for each leaf of `newer`; no leaf of `older` is matched twice.
//   1. Equal ids match, wherever they stand; the first with the first where an id occurs several times.
//   2. Runs of blocks that are new, between the same neighbours as runs of blocks that are gone, match in order so that
//      the pairs are as alike as possible. A single block in the place of a single one is that block, changed, however
//      different it is.
std::vector<LeafMatch> match_leaves(const Leaves& older, const Leaves& newer,
                                    const LeafSimilarity& similarity = size_similarity);

// Compares blocks by the words (runs of letters and digits) they share. Reads each block once while it is remembered; after
// `budget` reads, and for what cannot be read, lengths decide.
class ContentSimilarity {
 public:
  ContentSimilarity(const ObjectSource& objects, std::size_t budget) : objects_(objects), budget_(budget) {}
  double operator()(const Leaf& older, const Leaf& newer);

 private:
  struct Words {
    Hash256 id;
    std::vector<std::uint32_t> hashes;  // sorted, each once
  };
  const Words* words_of(const Leaf& leaf);

  const ObjectSource& objects_;
  std::size_t budget_;
  std::list<Words> known_;
};

}  // namespace blockarch
