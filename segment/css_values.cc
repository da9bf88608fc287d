#include "segment/css_values.h"

#include <lexbor/css/css.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace blockarch {
namespace {

std::string_view view(const lexbor_str_t& text) {
  return text.data ? std::string_view(reinterpret_cast<const char*>(text.data), text.length) : std::string_view();
}

std::optional<Length> length_of(const lxb_css_value_length_t& length) {
  const auto number = static_cast<float>(length.num);
  using Unit = Length::Unit;
  switch (static_cast<unsigned>(length.unit)) {
    case LXB_CSS_UNIT__UNDEF:
    case LXB_CSS_UNIT_PX:
      return Length{number, Unit::px};
    case LXB_CSS_UNIT_CM:
      return Length{number * 37.8f, Unit::px};
    case LXB_CSS_UNIT_MM:
      return Length{number * 3.78f, Unit::px};
    case LXB_CSS_UNIT_Q:
      return Length{number * 0.945f, Unit::px};
    case LXB_CSS_UNIT_IN:
      return Length{number * 96, Unit::px};
    case LXB_CSS_UNIT_PC:
      return Length{number * 16, Unit::px};
    case LXB_CSS_UNIT_PT:
      return Length{number * 4 / 3, Unit::px};
    case LXB_CSS_UNIT_EM:
    case LXB_CSS_UNIT_IC:
      return Length{number, Unit::em};
    case LXB_CSS_UNIT_CH:
    case LXB_CSS_UNIT_EX:
      return Length{number / 2, Unit::em};
    case LXB_CSS_UNIT_REM:
      return Length{number, Unit::rem};
    case LXB_CSS_UNIT_VW:
    case LXB_CSS_UNIT_VI:
      return Length{number, Unit::viewport_width};
    case LXB_CSS_UNIT_VH:
    case LXB_CSS_UNIT_VB:
      return Length{number, Unit::viewport_height};
    default:
      return std::nullopt;
  }
}

std::optional<Length> length_of(const lxb_css_value_length_percentage_t& value) {
  switch (static_cast<unsigned>(value.type)) {
    case LXB_CSS_VALUE__LENGTH:
      return length_of(value.u.length);
    case LXB_CSS_VALUE__PERCENTAGE:
      return Length{static_cast<float>(value.u.percentage.num), Length::Unit::percent};
    case LXB_CSS_VALUE__NUMBER:
      return Length{static_cast<float>(value.u.length.num), Length::Unit::px};
    case LXB_CSS_VALUE_AUTO:
      return Length{0, Length::Unit::automatic};
    default:
      return std::nullopt;
  }
}

std::optional<Length> font_size_of(const lxb_css_property_font_size_t& size) {
  using Unit = Length::Unit;
  switch (static_cast<unsigned>(size.type)) {
    case LXB_CSS_VALUE_XX_SMALL:
      return Length{9, Unit::px};
    case LXB_CSS_VALUE_X_SMALL:
      return Length{10, Unit::px};
    case LXB_CSS_VALUE_SMALL:
      return Length{13, Unit::px};
    case LXB_CSS_VALUE_MEDIUM:
      return Length{16, Unit::px};
    case LXB_CSS_VALUE_LARGE:
      return Length{18, Unit::px};
    case LXB_CSS_VALUE_X_LARGE:
      return Length{24, Unit::px};
    case LXB_CSS_VALUE_XX_LARGE:
      return Length{32, Unit::px};
    case LXB_CSS_VALUE_XXX_LARGE:
      return Length{48, Unit::px};
    case LXB_CSS_VALUE_LARGER:
      return Length{1.2f, Unit::em};
    case LXB_CSS_VALUE_SMALLER:
      return Length{1 / 1.2f, Unit::em};
    case LXB_CSS_VALUE__LENGTH:
      return length_of(size.length);
    default:
      return std::nullopt;
  }
}

std::uint32_t channel(const lxb_css_value_number_percentage_t& value, double whole) {
  double share = 0;
  if (value.type == LXB_CSS_VALUE__NUMBER) share = value.u.number.num / whole;
  if (value.type == LXB_CSS_VALUE__PERCENTAGE) share = value.u.percentage.num / 100;
  return static_cast<std::uint32_t>(std::lround(255 * (share >= 0 ? std::min(share, 1.0) : 0)));
}

std::optional<Color> color_of(const lxb_css_value_color_t& color) {
  switch (static_cast<unsigned>(color.type)) {
    case LXB_CSS_VALUE_HEX: {
      const auto& [rgba, type] = color.u.hex;
      const bool is_short = type == LXB_CSS_PROPERTY_COLOR_HEX_TYPE_3 || type == LXB_CSS_PROPERTY_COLOR_HEX_TYPE_4;
      const bool with_alpha = type == LXB_CSS_PROPERTY_COLOR_HEX_TYPE_4 || type == LXB_CSS_PROPERTY_COLOR_HEX_TYPE_8;
      const std::uint32_t scale = is_short ? 17 : 1;  // "#f00" is read as 15, 0, 0
      const std::uint32_t alpha = with_alpha ? rgba.a * scale : 255;
      return alpha << 24 | rgba.r * scale << 16 | rgba.g * scale << 8 | rgba.b * scale;
    }
    case LXB_CSS_VALUE_RGB:
    case LXB_CSS_VALUE_RGBA: {
      const auto& rgb = color.u.rgb;
      const bool with_alpha = rgb.a.type == LXB_CSS_VALUE__NUMBER || rgb.a.type == LXB_CSS_VALUE__PERCENTAGE;
      const std::uint32_t alpha = with_alpha ? channel(rgb.a, 1) : 255;
      return alpha << 24 | channel(rgb.r, 255) << 16 | channel(rgb.g, 255) << 8 | channel(rgb.b, 255);
    }
    case LXB_CSS_VALUE_TRANSPARENT:
      return kTransparent;
    case LXB_CSS_VALUE_CURRENTCOLOR:
    case LXB_CSS_VALUE_INHERIT:
    case LXB_CSS_VALUE_INITIAL:
    case LXB_CSS_VALUE_UNSET:
    case LXB_CSS_VALUE_REVERT:
      return std::nullopt;
    default:
      break;
  }
  if (color.type < LXB_CSS_VALUE_ALICEBLUE || color.type > LXB_CSS_VALUE_YELLOWGREEN) {
    return 0xfe000000 | static_cast<std::uint32_t>(color.type);
  }
  const lxb_css_data_t* data = lxb_css_value_by_id(color.type);
  if (!data) return std::nullopt;
  const auto known = parse_color({reinterpret_cast<const char*>(data->name), data->length});
  return known ? *known : 0xfe000000 | static_cast<std::uint32_t>(color.type);
}

std::optional<Display> display_of(const lxb_css_property_display_t& display) {
  switch (static_cast<unsigned>(display.a)) {
    case LXB_CSS_VALUE_NONE:
      return Display::none;
    case LXB_CSS_VALUE_CONTENTS:
      return Display::contents;
    case LXB_CSS_VALUE_INLINE:
    case LXB_CSS_VALUE_RUN_IN:
    case LXB_CSS_VALUE_RUBY:
      return Display::inline_level;
    case LXB_CSS_VALUE_INLINE_BLOCK:
    case LXB_CSS_VALUE_INLINE_FLEX:
    case LXB_CSS_VALUE_INLINE_GRID:
    case LXB_CSS_VALUE_INLINE_TABLE:
      return Display::inline_block;
    case LXB_CSS_VALUE_FLEX:
      return Display::flex;
    case LXB_CSS_VALUE_GRID:
      return Display::grid;
    case LXB_CSS_VALUE_LIST_ITEM:
      return Display::list_item;
    case LXB_CSS_VALUE_TABLE:
      return Display::table;
    case LXB_CSS_VALUE_TABLE_ROW_GROUP:
    case LXB_CSS_VALUE_TABLE_HEADER_GROUP:
    case LXB_CSS_VALUE_TABLE_FOOTER_GROUP:
      return Display::row_group;
    case LXB_CSS_VALUE_TABLE_ROW:
      return Display::row;
    case LXB_CSS_VALUE_TABLE_CELL:
      return Display::cell;
    case LXB_CSS_VALUE_TABLE_CAPTION:
      return Display::caption;
    case LXB_CSS_VALUE_BLOCK:
    case LXB_CSS_VALUE_FLOW:
    case LXB_CSS_VALUE_FLOW_ROOT:
      return Display::block;
    default:
      return std::nullopt;
  }
}

// lexbor does not know the shorthand; a colour may be any word of it.
std::optional<Color> background_of(std::string_view value) {
  std::size_t words = 0;
  while (!value.empty() && ++words <= 16) {
    const std::size_t end = std::min(value.find_first_of(" \t\n\r\f,"), value.size());
    const auto color = parse_color(value.substr(0, end));
    if (color && end > 0 && (value[0] < '0' || value[0] > '9')) return color;
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return std::nullopt;
}

void take_custom(StyleChange& change, const lxb_css_property__custom_t& property) {
  const std::string_view name = view(property.name);
  if (name == "background") change.background = background_of(view(property.value));
}

bool is_preformatted(unsigned white_space) {
  return white_space == LXB_CSS_VALUE_PRE || white_space == LXB_CSS_VALUE_PRE_WRAP ||
         white_space == LXB_CSS_VALUE_PRE_LINE || white_space == LXB_CSS_VALUE_BREAK_SPACES;
}

StyleChange change_of(const lxb_css_rule_declaration_t& declaration) {
  StyleChange change;
  const auto& value = declaration.u;
  if (!value.user) return change;
  switch (declaration.type) {
    case LXB_CSS_PROPERTY_COLOR:
      change.color = color_of(*value.color);
      break;
    case LXB_CSS_PROPERTY_BACKGROUND_COLOR:
      change.background = color_of(*value.background_color);
      break;
    case LXB_CSS_PROPERTY_FONT_SIZE:
      change.font_size = font_size_of(*value.font_size);
      break;
    case LXB_CSS_PROPERTY_WIDTH:
      change.width = length_of(*value.width);
      break;
    case LXB_CSS_PROPERTY_HEIGHT:
      change.height = length_of(*value.height);
      break;
    case LXB_CSS_PROPERTY_DISPLAY:
      change.display = display_of(*value.display);
      break;
    case LXB_CSS_PROPERTY_FLOAT:
      change.floating = value.floatp->type == LXB_CSS_FLOAT_LEFT || value.floatp->type == LXB_CSS_FLOAT_RIGHT;
      break;
    case LXB_CSS_PROPERTY_POSITION:
      change.positioned =
          value.position->type == LXB_CSS_POSITION_ABSOLUTE || value.position->type == LXB_CSS_POSITION_FIXED;
      break;
    case LXB_CSS_PROPERTY_FONT_WEIGHT:
      change.bold = value.font_weight->type == LXB_CSS_VALUE_BOLD || value.font_weight->type == LXB_CSS_VALUE_BOLDER ||
                    (value.font_weight->type == LXB_CSS_VALUE__NUMBER && value.font_weight->number.num >= 600);
      break;
    case LXB_CSS_PROPERTY_VISIBILITY:
      change.hidden = static_cast<unsigned>(value.visibility->type) != LXB_CSS_VALUE_VISIBLE;
      break;
    case LXB_CSS_PROPERTY_WHITE_SPACE:
      change.preformatted = is_preformatted(static_cast<unsigned>(value.white_space->type));
      break;
    case LXB_CSS_PROPERTY__CUSTOM:
      take_custom(change, *value.custom);
      break;
    default:
      break;
  }
  return change;
}

}  // namespace

CssChange change_of(const lxb_css_rule_declaration_list* declarations) {
  CssChange changes;
  for (const lxb_css_rule_t* rule = declarations ? declarations->first : nullptr; rule; rule = rule->next) {
    if (rule->type != LXB_CSS_RULE_DECLARATION) continue;
    const auto& declaration = *reinterpret_cast<const lxb_css_rule_declaration_t*>(rule);
    (declaration.important ? changes.important : changes.normal).merge(change_of(declaration));
  }
  return changes;
}

}  // namespace blockarch
