// Learns where the main region stands on the pages of a site: the five parameters and the pattern.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/bytes.h"
#include "segment/tagtree_model.h"

namespace blockarch {

struct TrainingPage {
  ByteView payload;
  std::string charset;                   // WHATWG name
  std::optional<std::string> main_text;  // UTF-8, where somebody wrote it down
};

struct TrainingResult {
  TagTreeModel model;
  double score = 0;         // mean F1 of words over the pages, with the model as it will be used
  double by_point = 0;      // the same without the pattern
  std::size_t matched = 0;  // pages on which the pattern leads somewhere
};

// A pure function: all pages and a grid of points and sizes are tried. Where no page has its main text, what only one page
// says, outside of links, is taken for it: what a site repeats on every page is not its content. Invalid without pages, and where
// none of them has a region with text.
Result<TrainingResult> train_tagtree(std::span<const TrainingPage> pages, TagTreeProfile profile);

}  // namespace blockarch
