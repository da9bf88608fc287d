#include "cli/text.h"

#include <fmt/format.h>
#include <wchar.h>

#include <algorithm>
#include <array>

namespace blockarch {
namespace {

constexpr char32_t kInvalid = 0xffffffff;

// Takes one character from the front; one byte and kInvalid where the text is not UTF-8 there.
char32_t take_character(std::string_view& text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  char32_t code = length == 1 ? lead : lead & (0x7f >> std::max<std::size_t>(length, 1));
  if (length > text.size()) length = 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      length = 0;
    else
      code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool good = length > 0 && code >= kLeast[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  text.remove_prefix(good ? length : 1);
  return good ? code : kInvalid;
}

bool is_unsafe(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || c == 0x2028 || c == 0x2029 ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x061c || c == 0xfeff;
}

std::size_t character_width(char32_t c) {
  // wcwidth answers by the locale's tables; main() asks for C.UTF-8. Where that is missing, a column each.
  const int width = c == kInvalid ? 1 : ::wcwidth(static_cast<wchar_t>(c));
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

// How many bytes of the front fit into `width` columns.
std::size_t fitting_front(std::string_view text, std::size_t width) {
  std::string_view rest = text;
  std::size_t used = 0;
  std::size_t bytes = 0;
  while (!rest.empty()) {
    used += character_width(take_character(rest));
    if (used > width) break;
    bytes = text.size() - rest.size();
  }
  return bytes;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_character(text);
    if (c == kInvalid || (c < 0x80 && is_unsafe(c))) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(before[0]));
    } else if (is_unsafe(c)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      out += before.substr(0, before.size() - text.size());
    }
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += character_width(take_character(text));
  return width;
}

std::string cut_end(std::string_view text, std::size_t width, std::string_view ellipsis) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t mark = display_width(ellipsis);
  if (width <= mark) return std::string(text.substr(0, fitting_front(text, width)));
  return std::string(text.substr(0, fitting_front(text, width - mark))).append(ellipsis);
}

std::string cut_middle(std::string_view text, std::size_t width, std::string_view ellipsis) {
  const std::size_t all = display_width(text);
  const std::size_t mark = display_width(ellipsis);
  if (all <= width || width <= mark + 2) return cut_end(text, width, ellipsis);
  const std::size_t front = (width - mark + 1) / 2;
  const std::size_t back = width - mark - front;
  std::string_view tail = text;
  for (std::size_t left = all; left > back;) left -= character_width(take_character(tail));
  return std::string(text.substr(0, fitting_front(text, front))).append(ellipsis).append(tail);
}

std::string group_digits(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string human_size(std::uint64_t bytes) {
  if (bytes < 1024) return counted(bytes, "byte", "bytes");
  constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.95 would be written as 1024.0.
  while (value >= 1023.95 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", group_digits(number), number == 1 ? one : many);
}

}  // namespace blockarch
