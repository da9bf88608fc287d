// From lexbor's declarations to what they change.
#pragma once

#include "segment/css_reader.h"

struct lxb_css_rule_declaration_list;

namespace blockarch {

// Null changes nothing.
CssChange change_of(const lxb_css_rule_declaration_list* declarations);

}  // namespace blockarch
