#include "segment/label.h"

#include <array>

namespace blockarch {

std::string_view label_name(BlockLabel label) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"other", "main", "identity", "navigation", "interaction", "copyright", "ad",
                                       "comments", "related", "script", "style", "data"});
  return kNames[static_cast<std::size_t>(label)];
}

}  // namespace blockarch
