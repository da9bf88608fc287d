// Text for people: what is safe to print, how wide it is, sizes and numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace blockarch {

// Control characters, bytes that are not UTF-8, and characters that change the direction of text are written
// as \x1b, \u202e…: what was captured must not steer the terminal.
std::string printable(std::string_view text);

// Columns that printable UTF-8 takes on a terminal.
std::size_t display_width(std::string_view text);

// At most `width` columns, with a mark (`ellipsis`) where something was left out.
std::string cut_end(std::string_view text, std::size_t width, std::string_view ellipsis);
std::string cut_middle(std::string_view text, std::size_t width, std::string_view ellipsis);

// 1,234,567
std::string group_digits(std::uint64_t number);
// "0 bytes", "1 byte", "1,023 bytes", "1.2 KiB", "3.4 GiB"
std::string human_size(std::uint64_t bytes);
// "1 capture", "1,234 captures"
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace blockarch
