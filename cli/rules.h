// Metadata rules from a file and conditions on metadata, which several commands take.
#pragma once

#include <string>
#include <vector>

#include "engine/metadata_rules.h"
#include "engine/snapshot.h"

namespace blockarch {

// The rules in a file, or on standard input for "-". `invalid` names file, line and column.
Result<MetadataRules> read_rules(const std::string& path);

// "KEY=GLOB" of --where.
Result<std::vector<MetadataFilter>> parse_where(const std::vector<std::string>& conditions);

}  // namespace blockarch
