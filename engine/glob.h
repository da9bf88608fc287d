// Shell-like patterns over URLs: '*' is any run of characters ('/' too), '?' any one character.
#pragma once

#include <string_view>

namespace blockarch {

// Linear in practice, never exponential.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace blockarch
