// What HTML says about its tags, by lexbor's numbers for them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "segment/element_tree.h"

namespace blockarch {

using TagId = std::uintptr_t;  // lxb_tag_id_t; numbers past lexbor's list are names that HTML does not know

// 0 for names that HTML does not know.
TagId tag_by_name(std::string_view lower_case_name);

// In lower case; empty for numbers that are no names.
std::string_view name_of_tag(TagId tag);

// Asked several times for each tag of a page.
struct TagTraits {
  ElementKind kind = ElementKind::phrasing;
  bool formatting = false;
  bool graphic = false;
  bool inert = false;
  bool is_void = false;
  bool raw_text = false;
  bool optional_end = false;
};
extern const std::array<TagTraits, 256> kTagTraits;
// Names that HTML does not know have none.
inline const TagTraits& traits_of(TagId tag) {
  return kTagTraits[tag < kTagTraits.size() ? tag : 0];
}

inline ElementKind kind_of_tag(TagId tag) {
  return traits_of(tag).kind;
}
// <b>, <a>…: what the specification treats by its list of active formatting elements.
inline bool is_formatting_tag(TagId tag) {
  return traits_of(tag).formatting;
}
bool is_link_tag(TagId tag);
// <svg> and <math>.
inline bool is_graphic_tag(TagId tag) {
  return traits_of(tag).graphic;
}
// Without content, and without any effect on what is open where such an element is allowed.
inline bool is_inert_tag(TagId tag) {
  return traits_of(tag).inert;
}
inline bool is_void_tag(TagId tag) {
  return traits_of(tag).is_void;
}
// The text inside is no markup; the tokenizer depends on the tree builder having seen the start tag.
inline bool is_raw_text_tag(TagId tag) {
  return traits_of(tag).raw_text;
}
inline bool end_tag_is_optional(TagId tag) {
  return traits_of(tag).optional_end;
}
// Any heading's end tag closes any heading.
bool end_tag_closes(TagId end_tag, TagId open);

}  // namespace blockarch
