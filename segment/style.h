// What a page's author says about how an element looks, as far as the segmenters that follow layout need it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "segment/html_tags.h"

namespace blockarch {

enum class Display : std::uint8_t {
  none,
  inline_level,
  inline_block,
  block,
  list_item,
  table,
  row_group,  // <tbody> and its kin
  row,
  cell,
  caption,
  flex,
  grid,
  contents,  // no box of its own
};

enum class Flow : std::uint8_t { normal, floating, positioned };

// 0xAARRGGBB; 0 is transparent. Colours that have no such value here (hsl(), rare names) get a value of their own with
// alpha 0xfe: equal colours are equal, different ones differ.
using Color = std::uint32_t;
inline constexpr Color kTransparent = 0;
inline constexpr Color kBlack = 0xff000000;
inline constexpr Color kWhite = 0xffffffff;

inline constexpr float kDefaultFontSize = 16;
inline constexpr float kViewportWidth = 1024;
inline constexpr float kViewportHeight = 768;

// Computed. Colour, font size, weight, visibility and white space are inherited; the background is what one sees behind
// the element's text: its own or, where it is transparent, its parent's.
struct ComputedStyle {
  Color color = kBlack;
  Color background = kWhite;
  float font_size = kDefaultFontSize;  // px
  float width = -1;                    // px; negative = not given
  float height = -1;
  float width_percent = -1;  // of the parent; negative = not given
  float height_percent = -1;
  Display display = Display::inline_level;
  Flow flow = Flow::normal;
  bool bold = false;
  bool hidden = false;        // by visibility: takes room, shows nothing
  bool preformatted = false;  // line breaks in the source are line breaks on the screen

  bool operator==(const ComputedStyle&) const = default;
};

using Style = ComputedStyle;  // for what sees no cli/output.h, whose Style is another one

struct Length {
  enum class Unit : std::uint8_t { px, em, rem, percent, viewport_width, viewport_height, automatic };
  float value = 0;
  Unit unit = Unit::px;
};

// What one rule, style attribute or presentational attribute sets.
struct StyleChange {
  std::optional<Color> color;
  std::optional<Color> background;
  std::optional<Length> font_size;
  std::optional<Length> width;
  std::optional<Length> height;
  std::optional<Display> display;
  std::optional<bool> floating;
  std::optional<bool> positioned;
  std::optional<bool> bold;
  std::optional<bool> hidden;
  std::optional<bool> preformatted;

  bool empty() const;
  // `later` wins.
  void merge(const StyleChange& later);
};

// What an element has from its parent, before anything is set.
ComputedStyle inherit(const ComputedStyle& parent, Display display);
// Relative sizes are of `parent`.
void apply(ComputedStyle& style, const StyleChange& change, const ComputedStyle& parent);

// "#f00", "f00000", "red"; nothing for what is no colour.
std::optional<Color> parse_color(std::string_view text);

// As browsers do without any style sheet of the page.
Display default_display(TagId tag);
StyleChange default_change(TagId tag);

}  // namespace blockarch
