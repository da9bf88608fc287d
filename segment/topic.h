// What a block is about, in a few words.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace blockarch {

struct TopicOptions {
  std::uint32_t theta = 10;   // a topic has at most this many words, and terms are counted among the first this many
  std::uint32_t delta = 20;   // a text of fewer words is trimmed instead of counted
  std::uint32_t epsilon = 1;  // a term must occur more often than this
};

}  // namespace blockarch
