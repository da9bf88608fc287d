// What each part of an HTML page is for.
#pragma once

#include <vector>

#include "base/bytes.h"
#include "segment/boxes.h"
#include "segment/element_tree.h"
#include "segment/label.h"

namespace blockarch {

// Everything given must outlive it and be of one page; `main` says which lines are main content.
class LabelFinder {
 public:
  LabelFinder(ByteView payload, const ElementTree& tree, const PageBoxes& page, const std::vector<bool>& main);

  // Of any byte range. In this order: mostly script, style or data; mostly main content; what the names of its own
  // elements say; what it holds (links, controls, a copyright notice); what it stands in; its place in the page.
  // A range with blocks of its own inside (`outer`) is main only where nearly all of it is: the blocks tell the rest.
  BlockLabel find(std::uint64_t begin, std::uint64_t end, bool outer) const;

 private:
  struct Part;

  Part part_of(std::uint64_t begin, std::uint64_t end) const;
  BlockLabel raw_label(std::uint64_t begin, std::uint64_t end) const;
  BlockLabel by_names(const Part& part) const;
  BlockLabel by_content(const Part& part) const;
  BlockLabel by_place(const Part& part) const;

  ByteView payload_;
  const ElementTree& tree_;
  const PageBoxes& page_;
  std::vector<std::uint32_t> main_before_;  // words of main content before each line
  std::uint32_t first_main_ = 0;            // lines
  std::uint32_t last_main_ = 0;
};

}  // namespace blockarch
