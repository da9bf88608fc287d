#include "segment/references.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace blockarch {
namespace {

constexpr std::size_t kLongest = 32;

struct Named {
  std::string_view name;
  std::uint32_t code;
};

// Letters of Latin-1, quotes and dashes: what stands inside words or next to them. Sorted by name.
// clang-format off
constexpr auto kNamed = std::to_array<Named>({
    {"AElig", 0xc6}, {"Aacute", 0xc1}, {"Acirc", 0xc2}, {"Agrave", 0xc0}, {"Aring", 0xc5}, {"Atilde", 0xc3},
    {"Auml", 0xc4}, {"Ccedil", 0xc7}, {"ETH", 0xd0}, {"Eacute", 0xc9}, {"Ecirc", 0xca}, {"Egrave", 0xc8},
    {"Euml", 0xcb}, {"Iacute", 0xcd}, {"Icirc", 0xce}, {"Igrave", 0xcc}, {"Iuml", 0xcf}, {"Ntilde", 0xd1},
    {"OElig", 0x152}, {"Oacute", 0xd3}, {"Ocirc", 0xd4}, {"Ograve", 0xd2}, {"Oslash", 0xd8}, {"Otilde", 0xd5},
    {"Ouml", 0xd6}, {"Scaron", 0x160}, {"THORN", 0xde}, {"Uacute", 0xda}, {"Ucirc", 0xdb}, {"Ugrave", 0xd9},
    {"Uuml", 0xdc}, {"Yacute", 0xdd}, {"Yuml", 0x178}, {"aacute", 0xe1}, {"acirc", 0xe2}, {"aelig", 0xe6},
    {"agrave", 0xe0}, {"amp", 0x26}, {"apos", 0x27}, {"aring", 0xe5}, {"atilde", 0xe3}, {"auml", 0xe4},
    {"ccedil", 0xe7}, {"divide", 0xf7}, {"eacute", 0xe9}, {"ecirc", 0xea}, {"egrave", 0xe8}, {"eth", 0xf0},
    {"euml", 0xeb}, {"gt", 0x3e}, {"hellip", 0x2026}, {"iacute", 0xed}, {"icirc", 0xee}, {"igrave", 0xec},
    {"iuml", 0xef}, {"ldquo", 0x201c}, {"lsquo", 0x2018}, {"lt", 0x3c}, {"mdash", 0x2014}, {"ndash", 0x2013},
    {"ntilde", 0xf1}, {"oacute", 0xf3}, {"ocirc", 0xf4}, {"oelig", 0x153}, {"ograve", 0xf2}, {"oslash", 0xf8},
    {"otilde", 0xf5}, {"ouml", 0xf6}, {"quot", 0x22}, {"rdquo", 0x201d}, {"rsquo", 0x2019}, {"scaron", 0x161},
    {"szlig", 0xdf}, {"thorn", 0xfe}, {"times", 0xd7}, {"uacute", 0xfa}, {"ucirc", 0xfb}, {"ugrave", 0xf9},
    {"uuml", 0xfc}, {"yacute", 0xfd}, {"yuml", 0xff},
});
// clang-format on

void append_utf8(std::uint32_t code, std::string& to) {
  const bool valid = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!valid) code = ' ';
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  } else if (code < 0x10000) {
    to += {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
           static_cast<char>(0x80 | (code & 0x3f))};
  } else {
    to += {static_cast<char>(0xf0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3f)),
           static_cast<char>(0x80 | (code >> 6 & 0x3f)), static_cast<char>(0x80 | (code & 0x3f))};
  }
}

std::uint32_t code_of(std::string_view name) {
  if (name.starts_with('#')) {
    const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const std::string_view digits = name.substr(hex ? 2 : 1);
    std::uint32_t code = 0;
    const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
    return problem == std::errc() && stop == digits.data() + digits.size() ? code : ' ';
  }
  const auto* const found = std::lower_bound(kNamed.begin(), kNamed.end(), name,
                                             [](const Named& a, std::string_view b) { return a.name < b; });
  return found != kNamed.end() && found->name == name ? found->code : ' ';
}

}  // namespace

std::size_t append_reference(std::string_view rest, std::string& to) {
  const std::size_t end = rest.substr(0, kLongest).find_first_of("; <&\n\"", 1);
  if (end == std::string_view::npos || rest[end] != ';' || end == 1) {
    to += rest.front();
    return 1;
  }
  append_utf8(code_of(rest.substr(1, end - 1)), to);
  return end + 1;
}

}  // namespace blockarch
