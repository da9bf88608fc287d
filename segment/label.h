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

// "main", "navigation"…; "" for none.
std::string_view label_name(BlockLabel label);

}  // namespace blockarch
