// What each HTML element is to the partitioner.
#pragma once

#include <string_view>

#include "segment/element_tree.h"
#include "segment/name_table.h"

namespace blockarch {

// By the lower-case name without prefix; unknown names (custom elements) are phrasing.
ElementKind html_element_kind(std::string_view name, std::uint32_t hash);  // its name_hash()
inline ElementKind html_element_kind(std::string_view name) {
  return html_element_kind(name, name_hash(name));
}

}  // namespace blockarch
