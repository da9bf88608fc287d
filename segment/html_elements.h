// The element tree of an HTML page, by lexbor.
#pragma once

#include "base/bytes.h"
#include "segment/element_tree.h"

namespace blockarch {

// Larger pages are not parsed; their tree is the document alone.
inline constexpr std::size_t kMaxMarkupSize = std::size_t{64} << 20;

// Of raw bytes in any charset whose markup is ASCII (see markup_is_ascii). Total and deterministic; time and
// memory are linear in the payload for hostile input too. Nesting is cut off at a fixed depth, deeper
// elements are part of the one at that depth. Thread-safe: each thread keeps a parser of its own.
ElementTree html_elements(ByteView payload);

}  // namespace blockarch
