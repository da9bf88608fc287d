// Text as it is written in HTML, between tags and in quoted attributes.
#pragma once

#include <string>
#include <string_view>

namespace blockarch {

void append_escaped(std::string& to, std::string_view text);
std::string escaped(std::string_view text);

}  // namespace blockarch
