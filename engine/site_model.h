// What tagtree has learnt about sites (segment/tagtree_train.h), kept among the archive's settings as "tagtree/HOST".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/snapshot.h"
#include "engine/writer.h"
#include "segment/tagtree_model.h"

namespace blockarch {

// A host ("news.example.com") or a URL, in the spelling that models are kept under; `invalid` for what is neither.
Result<std::string> site_of(std::string_view host_or_url);

Result<std::optional<TagTreeModel>> find_site_model(const Snapshot& snapshot, const std::string& site);
Result<void> put_site_model(Writer& writer, const std::string& site, const TagTreeModel& model);

}  // namespace blockarch
