// What HTML says about its tags, by lexbor's numbers for them.
#pragma once

#include <cstdint>
#include <string_view>

#include "segment/element_tree.h"

namespace blockarch {

using TagId = std::uintptr_t;  // lxb_tag_id_t; numbers past lexbor's list are names that HTML does not know

// 0 for names that HTML does not know.
TagId tag_by_name(std::string_view lower_case_name);

// In lower case; empty for numbers that are no names.
std::string_view name_of_tag(TagId tag);

ElementKind kind_of_tag(TagId tag);

// <b>, <a>…: what the specification treats by its list of active formatting elements.
bool is_formatting_tag(TagId tag);
bool is_link_tag(TagId tag);
// <svg> and <math>.
bool is_graphic_tag(TagId tag);
// Without content, and without any effect on what is open where such an element is allowed.
bool is_inert_tag(TagId tag);
bool is_void_tag(TagId tag);
// The text inside is no markup; the tokenizer depends on the tree builder having seen the start tag.
bool is_raw_text_tag(TagId tag);
bool end_tag_is_optional(TagId tag);
// Any heading's end tag closes any heading.
bool end_tag_closes(TagId end_tag, TagId open);

}  // namespace blockarch
