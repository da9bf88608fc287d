#include "cli/rules.h"

#include <fmt/format.h>

#include "cli/files.h"

namespace blockarch {

Result<MetadataRules> read_rules(const std::string& path) {
  BA_ASSIGN(const Bytes text, read_input(path, kMaxRulesFile));
  return MetadataRules::parse(text, path == "-" ? "standard input" : path);
}

Result<std::vector<MetadataFilter>> parse_where(const std::vector<std::string>& conditions) {
  std::vector<MetadataFilter> where;
  for (const std::string& condition : conditions) {
    const std::size_t sign = condition.find('=');
    if (sign == std::string::npos || sign == 0) {
      return Error{ErrorCode::invalid, fmt::format("--where takes KEY=PATTERN, not '{}'", condition)};
    }
    where.push_back({condition.substr(0, sign), condition.substr(sign + 1)});
  }
  return where;
}

}  // namespace blockarch
