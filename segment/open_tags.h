// Which blocks are open at a place of a page, as far as a string model needs it: how many.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "segment/tag_scanner.h"

namespace blockarch {

class OpenTags {
 public:
  // Of a start tag of a block. Closes what the tag ends by itself: <li> after an <li> that is still open.
  void open(std::uint8_t tag);
  // Closes the newest such element with all inside it; nothing where there is none, or none in this table cell.
  void close(std::uint8_t tag);
  std::uint32_t depth() const { return static_cast<std::uint32_t>(open_.size()); }

 private:
  void pop();

  std::vector<std::uint8_t> open_;
  std::array<std::uint32_t, kMaxTagNumbers> counts_{};
};

}  // namespace blockarch
