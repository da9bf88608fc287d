// What bwap knows about tags by themselves.
#pragma once

#include <cstdint>

#include "segment/bwap_rules.h"

namespace blockarch {

NodeClass class_in_2008(std::uint16_t tag);
// Interactive and embedded content.
bool is_function_tag(std::uint16_t tag);
bool is_layout_tag(std::uint16_t tag);
// Rule 5's least size in square pixels.
std::uint32_t least_area(std::uint16_t tag, BwapProfile profile);
// Of what has a size without any content: images, controls, embedded pages. Zero for everything else.
std::uint32_t own_area(const StyledPage& page, const StyledNode& node);

}  // namespace blockarch
