// The content type of a file that came without one.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

// From the name's ending where that fits the bytes; empty where the bytes alone tell more.
std::string content_type_of_file(std::string_view name, ByteView bytes);

}  // namespace blockarch
