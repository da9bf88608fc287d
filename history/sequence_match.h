// What two sequences have in common, in order: the ground of every diff here, over blocks, words and bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace blockarch {

// a[at_a, at_a + size) equals b[at_b, at_b + size).
struct SequenceMatch {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t size = 0;

  bool operator==(const SequenceMatch&) const = default;
};

// How much may still be done, in steps of about a nanosecond or two. What is left to do when it is used up counts as
// different, so that a diff is never wrong, only coarser.
struct WorkLimit {
  std::uint64_t left = 400'000'000;

  bool spend(std::uint64_t steps);
};

// Longest runs, in order, none empty, no two that touch on both sides. A shortest edit (Myers, linear memory) for short
// sequences; long ones are first cut at elements that occur once on each side (as patience diff does).
std::vector<SequenceMatch> match_sequences(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                                           WorkLimit& limit);

// Of pairs (i, to[i]) the heaviest set in which both sides rise: true for each that is in it. Weights from 1.
std::vector<bool> heaviest_rising(std::span<const std::uint32_t> to, std::span<const std::uint64_t> weights);

}  // namespace blockarch
