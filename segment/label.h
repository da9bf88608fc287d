// What a block is for.
#pragma once

#include <cstdint>
#include <string_view>

namespace blockarch {

enum class BlockLabel : std::uint8_t {
  none,  // nothing speaks for any of the others
  main,
  identity,
  navigation,
  interaction,
  copyright,
  ad,
  comments,
  related,
  script,
  style,
  data,
};

// A block with blocks inside is main where this share of its words is.
inline constexpr double kMainThroughout = 0.95;

// "main", "navigation"…; "other" for none.
std::string_view label_name(BlockLabel label);

}  // namespace blockarch
