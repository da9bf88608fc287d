// What each HTML element is to the partitioner.
#pragma once

#include <string_view>

#include "segment/element_tree.h"

namespace blockarch {

// By the lower-case name without prefix; unknown names (custom elements) are phrasing.
ElementKind html_element_kind(std::string_view name);

}  // namespace blockarch
