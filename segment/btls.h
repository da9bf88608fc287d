// btls: segmentation by titles, on strings, without a document tree (docs/segmentation.md).
//
// Profiles, joined by commas:
//   paper    the published method as it stands: level 1 are its content blocks, level 2 its title and body blocks
//   cjk, syllabic, latin, abjad, abugida   the lengths of that script; without one, of the script most of the text is in
// Without `paper` content blocks nest: titles and depth divide the page at every depth, not at one.
#pragma once

#include <optional>

#include "segment/segmenter.h"
#include "segment/text_count.h"

namespace blockarch {

const Segmenter& btls_segmenter();

// Lengths in Chinese characters, as all of btls (characters_per_han).
struct BtlsLimits {
  double least = 5;          // a shorter block joins its neighbours
  double split = 60;         // a shorter block is not divided
  double split_part = 0.16;  // nor one that is a smaller part of the page (its length as a power of two)
  std::size_t list =
      8;  // as many blocks, the longest at most `alike` times their mean, are a list, which is not divided
  double alike = 5;
  double page_part = 0.95;  // what is this much of the page is no list
};

// What the profile without `paper` does; max_level 1 to kMaxLevel. Pages of more than kMaxMarkupSize are one region.
Segmentation btls_levels(ByteView page, std::string_view charset, std::optional<Script> script, int max_level,
                         const BtlsLimits& limits = {});
// What the profile `paper` does; max_level 1 or 2.
Segmentation btls_paper(ByteView page, std::string_view charset, std::optional<Script> script, int max_level);

}  // namespace blockarch
