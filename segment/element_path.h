// Where an element stands, for people: "body/div#main/p".
#pragma once

#include <string>

#include "base/bytes.h"
#include "segment/element_tree.h"

namespace blockarch {

inline constexpr std::size_t kMaxPath = 120;

// "div#main"; "#comment" for one, "" for an implied element. Letters, digits and - _ . : only.
std::string path_name(ByteView payload, const Element& element);

// `path`, "/" and `name`; what is longer than kMaxPath loses its beginning.
std::string join_path(const std::string& path, const std::string& name);

// Of all block-level elements around it but <html>.
std::string element_path(ByteView payload, const ElementTree& tree, std::uint32_t element);

}  // namespace blockarch
