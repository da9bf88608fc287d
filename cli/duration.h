// Lengths of time, as people write and read them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

// Seconds of "90s", "15m", "1.5h", "7d", "2w", "1y"; a number alone is days. invalid for what is no positive length.
Result<double> parse_duration(std::string_view text);

// "45 s", "12 min", "5.2 h", "3.4 d", "2.1 y"; "never" for what is not finite.
std::string human_duration(double seconds);

}  // namespace blockarch
