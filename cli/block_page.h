// A page with its blocks outlined and named, to be looked at in a browser.
#pragma once

#include <string>
#include <vector>

#include "segment/describe.h"

namespace blockarch {

// A whole HTML document in UTF-8. The page itself is shown in a sandboxed frame under a policy that runs no script,
// submits no form and fetches nothing, so it may be opened wherever it came from.
std::string block_page(ByteView page, const std::vector<DescribedBlock>& blocks, const SegmentOptions& options);

}  // namespace blockarch
