// From lexbor's declarations to what they change. Included by css_reader.cc alone: it shows lexbor's types.
#pragma once

#include <lexbor/css/css.h>

#include "segment/css_reader.h"

namespace blockarch {

CssChange change_of(const lxb_css_rule_declaration_list_t* declarations);

}  // namespace blockarch
