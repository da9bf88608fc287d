#include "segment/style.h"

#include <lexbor/tag/const.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace blockarch {
namespace {

constexpr float kMaxPixels = 100'000;

struct NamedColor {
  std::string_view name;
  std::uint32_t rgb;
};

// The names that pages use; sorted.
constexpr auto kColors = std::to_array<NamedColor>({
    {"aqua", 0x00ffff},       {"beige", 0xf5f5dc},      {"black", 0x000000},     {"blue", 0x0000ff},
    {"brown", 0xa52a2a},      {"crimson", 0xdc143c},    {"cyan", 0x00ffff},      {"darkblue", 0x00008b},
    {"darkgray", 0xa9a9a9},   {"darkgreen", 0x006400},  {"darkgrey", 0xa9a9a9},  {"darkred", 0x8b0000},
    {"dimgray", 0x696969},    {"dimgrey", 0x696969},    {"fuchsia", 0xff00ff},   {"gainsboro", 0xdcdcdc},
    {"gold", 0xffd700},       {"gray", 0x808080},       {"green", 0x008000},     {"grey", 0x808080},
    {"ivory", 0xfffff0},      {"khaki", 0xf0e68c},      {"lavender", 0xe6e6fa},  {"lightblue", 0xadd8e6},
    {"lightgray", 0xd3d3d3},  {"lightgreen", 0x90ee90}, {"lightgrey", 0xd3d3d3}, {"lightyellow", 0xffffe0},
    {"lime", 0x00ff00},       {"magenta", 0xff00ff},    {"maroon", 0x800000},    {"navy", 0x000080},
    {"olive", 0x808000},      {"orange", 0xffa500},     {"pink", 0xffc0cb},      {"purple", 0x800080},
    {"red", 0xff0000},        {"silver", 0xc0c0c0},     {"snow", 0xfffafa},      {"steelblue", 0x4682b4},
    {"tan", 0xd2b48c},        {"teal", 0x008080},       {"violet", 0xee82ee},    {"white", 0xffffff},
    {"whitesmoke", 0xf5f5f5}, {"yellow", 0xffff00},
});

static_assert(std::is_sorted(kColors.begin(), kColors.end(),
                             [](const NamedColor& a, const NamedColor& b) { return a.name < b.name; }));

std::optional<Color> parse_hex(std::string_view digits) {
  if (digits.size() != 3 && digits.size() != 6) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  if (digits.size() == 3) value = (value >> 8) * 0x110000 + (value >> 4 & 15) * 0x1100 + (value & 15) * 0x11;
  return 0xff000000 | value;
}

// NaN and what is out of all proportion come from the page; neither may reach the arithmetic.
float bounded(float pixels) {
  return pixels >= 0 ? std::min(pixels, kMaxPixels) : 0;
}

void set_extent(float& pixels, float& percent, const Length& length, float font_size) {
  pixels = percent = -1;
  switch (length.unit) {
    case Length::Unit::px:
      pixels = bounded(length.value);
      break;
    case Length::Unit::em:
      pixels = bounded(length.value * font_size);
      break;
    case Length::Unit::rem:
      pixels = bounded(length.value * kDefaultFontSize);
      break;
    case Length::Unit::percent:
      percent = std::min(bounded(length.value), 1000.0f);
      break;
    case Length::Unit::viewport_width:
      pixels = bounded(length.value * kViewportWidth / 100);
      break;
    case Length::Unit::viewport_height:
      pixels = bounded(length.value * kViewportHeight / 100);
      break;
    case Length::Unit::automatic:
      break;
  }
}

float font_size_of(const Length& length, float parent) {
  float pixels = -1;
  float percent = -1;
  set_extent(pixels, percent, length, parent);
  if (percent >= 0) pixels = bounded(percent * parent / 100);
  return pixels >= 0 ? std::min(pixels, 1000.0f) : parent;
}

template <typename T>
void take(std::optional<T>& value, const std::optional<T>& later) {
  if (later) value = later;
}

}  // namespace

bool StyleChange::empty() const {
  return !color && !background && !font_size && !width && !height && !display && !floating && !positioned && !bold &&
         !hidden && !preformatted;
}

void StyleChange::merge(const StyleChange& later) {
  take(color, later.color);
  take(background, later.background);
  take(font_size, later.font_size);
  take(width, later.width);
  take(height, later.height);
  take(display, later.display);
  take(floating, later.floating);
  take(positioned, later.positioned);
  take(bold, later.bold);
  take(hidden, later.hidden);
  take(preformatted, later.preformatted);
}

ComputedStyle inherit(const ComputedStyle& parent, Display display) {
  ComputedStyle style = parent;
  style.width = style.height = style.width_percent = style.height_percent = -1;
  style.display = display;
  style.flow = Flow::normal;
  return style;
}

void apply(ComputedStyle& style, const StyleChange& change, const ComputedStyle& parent) {
  if (change.font_size) style.font_size = font_size_of(*change.font_size, parent.font_size);
  if (change.width) set_extent(style.width, style.width_percent, *change.width, style.font_size);
  if (change.height) set_extent(style.height, style.height_percent, *change.height, style.font_size);
  if (change.color) style.color = *change.color;
  if (change.background && *change.background >> 24 != 0) style.background = *change.background;
  if (change.display) style.display = *change.display;
  if (change.floating) style.flow = *change.floating ? Flow::floating : Flow::normal;
  if (change.positioned && *change.positioned) style.flow = Flow::positioned;
  if (change.bold) style.bold = *change.bold;
  if (change.hidden) style.hidden = *change.hidden;
  if (change.preformatted) style.preformatted = *change.preformatted;
}

std::optional<Color> parse_color(std::string_view text) {
  if (text.empty() || text.size() > 32) return std::nullopt;
  if (text[0] == '#') return parse_hex(text.substr(1));
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == "transparent") return kTransparent;
  const auto* const found = std::lower_bound(kColors.begin(), kColors.end(), std::string_view(lower),
                                             [](const NamedColor& a, std::string_view b) { return a.name < b; });
  if (found != kColors.end() && found->name == lower) return 0xff000000 | found->rgb;
  return parse_hex(lower);
}

Display default_display(TagId tag) {
  switch (tag) {
    case LXB_TAG_AREA:
    case LXB_TAG_BASE:
    case LXB_TAG_COL:
    case LXB_TAG_COLGROUP:
    case LXB_TAG_DATALIST:
    case LXB_TAG_HEAD:
    case LXB_TAG_LINK:
    case LXB_TAG_META:
    case LXB_TAG_NOEMBED:
    case LXB_TAG_NOFRAMES:
    case LXB_TAG_NOSCRIPT:
    case LXB_TAG_PARAM:
    case LXB_TAG_SCRIPT:
    case LXB_TAG_SOURCE:
    case LXB_TAG_STYLE:
    case LXB_TAG_TEMPLATE:
    case LXB_TAG_TITLE:
    case LXB_TAG_TRACK:
      return Display::none;
    case LXB_TAG_TABLE:
      return Display::table;
    case LXB_TAG_TBODY:
    case LXB_TAG_TFOOT:
    case LXB_TAG_THEAD:
      return Display::row_group;
    case LXB_TAG_TR:
      return Display::row;
    case LXB_TAG_TD:
    case LXB_TAG_TH:
      return Display::cell;
    case LXB_TAG_CAPTION:
      return Display::caption;
    case LXB_TAG_LI:
      return Display::list_item;
    case LXB_TAG_BUTTON:
    case LXB_TAG_INPUT:
    case LXB_TAG_METER:
    case LXB_TAG_PROGRESS:
    case LXB_TAG_SELECT:
    case LXB_TAG_TEXTAREA:
      return Display::inline_block;
    case LXB_TAG_HTML:
    case LXB_TAG_BODY:
    case LXB_TAG_XMP:
      return Display::block;
    case LXB_TAG_IFRAME:
    case LXB_TAG_MATH:
    case LXB_TAG_SVG:
      return Display::inline_level;
    default:
      break;
  }
  const ElementKind kind = kind_of_tag(tag);
  return kind == ElementKind::block || kind == ElementKind::heading ? Display::block : Display::inline_level;
}

StyleChange default_change(TagId tag) {
  const auto sized = [](float em, bool bold) {
    StyleChange change;
    change.font_size = Length{em, Length::Unit::em};
    if (bold) change.bold = true;
    return change;
  };
  StyleChange change;
  switch (tag) {
    case LXB_TAG_H1:
      return sized(2, true);
    case LXB_TAG_H2:
      return sized(1.5, true);
    case LXB_TAG_H3:
      return sized(1.17f, true);
    case LXB_TAG_H4:
      return sized(1, true);
    case LXB_TAG_H5:
      return sized(0.83f, true);
    case LXB_TAG_H6:
      return sized(0.67f, true);
    case LXB_TAG_BIG:
      return sized(1.2f, false);
    case LXB_TAG_SMALL:
    case LXB_TAG_SUB:
    case LXB_TAG_SUP:
      return sized(0.83f, false);
    case LXB_TAG_B:
    case LXB_TAG_STRONG:
    case LXB_TAG_TH:
      change.bold = true;
      return change;
    case LXB_TAG_LISTING:
    case LXB_TAG_PLAINTEXT:
    case LXB_TAG_PRE:
    case LXB_TAG_XMP:
      change.preformatted = true;
      return change;
    default:
      return change;
  }
}

}  // namespace blockarch
