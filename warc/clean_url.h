// URLs as archives have them, made fit for base/url.h.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

struct CleanUrl {
  std::string url;     // parse_url() takes it
  std::string defect;  // what had to be done to it; empty where nothing
};

// Takes <> and blanks around it off and percent-encodes spaces and control bytes inside, which parse_url() refuses. Error
// `invalid` where that is not enough (no scheme, too long, NUL bytes, which no server ever saw).
Result<CleanUrl> clean_url(std::string_view given);

}  // namespace blockarch
