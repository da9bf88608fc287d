#include "segment/html_tags.h"

#include <lexbor/html/tag.h>
#include <lexbor/tag/tag.h>

#include <array>
#include <unordered_map>

#include "segment/element_kind.h"

namespace blockarch {
namespace {

using TagsByName = std::unordered_map<std::string_view, TagId>;

TagsByName make_names() {
  TagsByName names;
  for (TagId tag = LXB_TAG__EM_DOCTYPE + 1; tag < LXB_TAG__LAST_ENTRY; ++tag) {
    std::size_t size = 0;
    const lxb_char_t* name = lxb_tag_name_by_id(tag, &size);
    if (name) names.emplace(std::string_view(reinterpret_cast<const char*>(name), size), tag);
  }
  return names;
}

bool is_formatting(TagId tag) {
  switch (tag) {
    case LXB_TAG_A:
    case LXB_TAG_B:
    case LXB_TAG_BIG:
    case LXB_TAG_CODE:
    case LXB_TAG_EM:
    case LXB_TAG_FONT:
    case LXB_TAG_I:
    case LXB_TAG_NOBR:
    case LXB_TAG_S:
    case LXB_TAG_SMALL:
    case LXB_TAG_STRIKE:
    case LXB_TAG_STRONG:
    case LXB_TAG_TT:
    case LXB_TAG_U:
      return true;
    default:
      return false;
  }
}

bool is_inert(TagId tag) {
  switch (tag) {
    case LXB_TAG_AREA:
    case LXB_TAG_BASE:
    case LXB_TAG_BR:
    case LXB_TAG_EMBED:
    case LXB_TAG_IMG:
    case LXB_TAG_LINK:
    case LXB_TAG_META:
    case LXB_TAG_PARAM:
    case LXB_TAG_SOURCE:
    case LXB_TAG_TRACK:
    case LXB_TAG_WBR:
      return true;
    default:
      return false;
  }
}

bool is_raw_text(TagId tag) {
  switch (tag) {
    case LXB_TAG_IFRAME:
    case LXB_TAG_NOEMBED:
    case LXB_TAG_NOFRAMES:
    case LXB_TAG_PLAINTEXT:
    case LXB_TAG_SCRIPT:
    case LXB_TAG_STYLE:
    case LXB_TAG_TEXTAREA:
    case LXB_TAG_TITLE:
    case LXB_TAG_XMP:
      return true;
    default:
      return false;
  }
}

bool has_optional_end(TagId tag) {
  switch (tag) {
    case LXB_TAG_BODY:
    case LXB_TAG_COLGROUP:
    case LXB_TAG_DD:
    case LXB_TAG_DT:
    case LXB_TAG_HEAD:
    case LXB_TAG_HTML:
    case LXB_TAG_LI:
    case LXB_TAG_OPTGROUP:
    case LXB_TAG_OPTION:
    case LXB_TAG_P:
    case LXB_TAG_TBODY:
    case LXB_TAG_TD:
    case LXB_TAG_TFOOT:
    case LXB_TAG_TH:
    case LXB_TAG_THEAD:
    case LXB_TAG_TR:
      return true;
    default:
      return false;
  }
}

std::array<TagTraits, 256> make_traits() {
  static_assert(LXB_TAG__LAST_ENTRY <= 256);
  std::array<TagTraits, 256> traits{};
  for (TagId tag = 1; tag < LXB_TAG__LAST_ENTRY; ++tag) {
    std::size_t size = 0;
    const lxb_char_t* name = lxb_tag_name_by_id(tag, &size);
    if (!name) continue;
    TagTraits& made = traits[tag];
    made.kind = html_element_kind({reinterpret_cast<const char*>(name), size});
    made.formatting = is_formatting(tag);
    made.graphic = tag == LXB_TAG_SVG || tag == LXB_TAG_MATH;
    made.inert = is_inert(tag);
    made.is_void = made.inert || lxb_html_tag_is_void(tag) || tag == LXB_TAG_FRAME;
    made.raw_text = is_raw_text(tag);
    made.optional_end = has_optional_end(tag);
  }
  return traits;
}

}  // namespace

const std::array<TagTraits, 256> kTagTraits = make_traits();

TagId tag_by_name(std::string_view lower_case_name) {
  static const TagsByName names = make_names();
  const auto found = names.find(lower_case_name);
  return found != names.end() ? found->second : 0;
}

std::string_view name_of_tag(TagId tag) {
  if (tag <= LXB_TAG__EM_DOCTYPE || tag >= LXB_TAG__LAST_ENTRY) return {};
  std::size_t size = 0;
  const lxb_char_t* const name = lxb_tag_name_by_id(tag, &size);
  return name ? std::string_view(reinterpret_cast<const char*>(name), size) : std::string_view();
}

bool is_link_tag(TagId tag) {
  return tag == LXB_TAG_A;
}

bool end_tag_closes(TagId end_tag, TagId open) {
  static_assert(LXB_TAG_H6 == LXB_TAG_H1 + 5);
  const auto is_heading = [](TagId tag) { return tag >= LXB_TAG_H1 && tag <= LXB_TAG_H6; };
  return end_tag == open || (is_heading(end_tag) && is_heading(open));
}

}  // namespace blockarch
