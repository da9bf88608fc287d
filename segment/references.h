// Character references of HTML.
#pragma once

#include <string>
#include <string_view>

namespace blockarch {

// Appends what the reference at the beginning of `rest` ("&amp;", "&#233;", "&#xe9;") stands for, in UTF-8, and says how
// many bytes it takes. What is no reference is appended as it is. Names beyond the few that occur in running text become
// a blank.
std::size_t append_reference(std::string_view rest, std::string& to);

}  // namespace blockarch
