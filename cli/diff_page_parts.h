// What does not depend on the pages in the page that 'diff --html' writes: its style, what marks changes inside the two frames,
// and the one script.
#pragma once

#include <string_view>

namespace blockarch {

extern const std::string_view kDiffStyle;
extern const std::string_view kDiffFrameStyle;
extern const std::string_view kDiffScript;

}  // namespace blockarch
