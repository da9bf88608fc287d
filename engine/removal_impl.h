// Private to engine/.
#pragma once

#include <optional>
#include <vector>

#include "base/lmdb.h"
#include "engine/removal.h"
#include "refs/tables.h"
#include "refs/url_table.h"

namespace blockarch {

// Takes out of a URL's history what `kept` does not keep (missing entries are not kept), and the URL with its last capture.
// Where `noted` is given it can be put back.
Result<RemovalReport::Url> remove_observations(WriteTransaction& transaction, const Tables& tables, UrlNumber url,
                                               const std::vector<bool>& kept, std::optional<Time> noted);

}  // namespace blockarch
