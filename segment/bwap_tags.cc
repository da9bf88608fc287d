#include "segment/bwap_tags.h"

#include <lexbor/tag/const.h>

#include <algorithm>

namespace blockarch {
namespace {

struct Extent {
  float width;
  float height;
};

// Where the page does not say.
Extent usual_extent(std::uint16_t tag) {
  switch (tag) {
    case LXB_TAG_IMG:
      return {64, 48};
    case LXB_TAG_INPUT:
    case LXB_TAG_SELECT:
      return {150, 20};
    case LXB_TAG_BUTTON:
      return {60, 20};
    case LXB_TAG_TEXTAREA:
      return {200, 60};
    case LXB_TAG_APPLET:
    case LXB_TAG_CANVAS:
    case LXB_TAG_EMBED:
    case LXB_TAG_IFRAME:
    case LXB_TAG_OBJECT:
    case LXB_TAG_VIDEO:
      return {300, 150};
    case LXB_TAG_AUDIO:
      return {300, 50};
    case LXB_TAG_MATH:
    case LXB_TAG_SVG:
      return {24, 24};
    case LXB_TAG_HR:
      return {600, 2};
    default:
      return {0, 0};
  }
}

}  // namespace

bool is_layout_tag(std::uint16_t tag) {
  switch (tag) {
    case kDocumentTag:
    case LXB_TAG_BODY:
    case LXB_TAG_FRAME:
    case LXB_TAG_FRAMESET:
    case LXB_TAG_HEAD:
    case LXB_TAG_HTML:
      return true;
    default:
      return false;
  }
}

bool is_function_tag(std::uint16_t tag) {
  switch (tag) {
    case LXB_TAG_A:
    case LXB_TAG_APPLET:
    case LXB_TAG_AUDIO:
    case LXB_TAG_BUTTON:
    case LXB_TAG_CANVAS:
    case LXB_TAG_EMBED:
    case LXB_TAG_IFRAME:
    case LXB_TAG_IMG:
    case LXB_TAG_INPUT:
    case LXB_TAG_LABEL:
    case LXB_TAG_MAP:
    case LXB_TAG_MATH:
    case LXB_TAG_OBJECT:
    case LXB_TAG_OPTION:
    case LXB_TAG_PICTURE:
    case LXB_TAG_SELECT:
    case LXB_TAG_SVG:
    case LXB_TAG_TEXTAREA:
    case LXB_TAG_VIDEO:
      return true;
    default:
      return false;
  }
}

NodeClass class_in_2008(std::uint16_t tag) {
  if (is_layout_tag(tag)) return NodeClass::layout;
  if (is_function_tag(tag) || tag == LXB_TAG_FORM || tag == LXB_TAG_FIELDSET) return NodeClass::function;
  switch (tag) {
    case LXB_TAG_CAPTION:
    case LXB_TAG_DD:
    case LXB_TAG_DIR:
    case LXB_TAG_DL:
    case LXB_TAG_DT:
    case LXB_TAG_HR:
    case LXB_TAG_LI:
    case LXB_TAG_MENU:
    case LXB_TAG_OL:
    case LXB_TAG_P:
    case LXB_TAG_TABLE:
    case LXB_TAG_TBODY:
    case LXB_TAG_TD:
    case LXB_TAG_TFOOT:
    case LXB_TAG_TH:
    case LXB_TAG_THEAD:
    case LXB_TAG_TR:
    case LXB_TAG_UL:
      return NodeClass::schema;
    default:
      return NodeClass::format;
  }
}

// Modern: about 300 by 230 pixels, a box in the side column; between 50,000 and 90,000 nothing much changes.
// 2008: about a dozen letters of usual text: a cell with a bullet, a number or an icon is no block. The parts of a table are
// larger than what they are made of.
std::uint32_t least_area(std::uint16_t tag, BwapProfile profile) {
  if (profile == BwapProfile::modern) return 70'000;
  switch (tag) {
    case LXB_TAG_TABLE:
    case LXB_TAG_TBODY:
      return 4000;
    case LXB_TAG_TR:
      return 3000;
    default:
      return 2000;
  }
}

std::uint32_t own_area(const StyledPage& page, const StyledNode& node) {
  const Extent usual = usual_extent(node.tag);
  const ComputedStyle& style = page.style(node);
  float width = style.width;
  float height = style.height;
  if (width < 0 && height < 0) {
    width = usual.width;
    height = usual.height;
  } else if (usual.width > 0 && width < 0) {
    width = std::min(height, usual.width);
  } else if (usual.width > 0 && height < 0) {
    height = std::min(width, usual.height);
  }
  return width > 0 && height > 0 ? static_cast<std::uint32_t>(std::min(width * height, 4e9f)) : 0;
}

}  // namespace blockarch
