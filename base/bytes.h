// Bytes of unknown meaning. Text that is known to be UTF-8 uses std::string directly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace blockarch {

using Bytes = std::string;
using ByteView = std::string_view;

std::string to_hex(ByteView bytes);

}  // namespace blockarch
