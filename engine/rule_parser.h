// Metadata rules as they stand in a file (docs/metadata-rules.md). Private to engine/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/url_regex.h"

namespace blockarch {

struct RuleMatch {
  enum class Of { url, mime, header };
  Of of = Of::url;
  std::string header;                  // its name in lower case
  std::optional<std::string> pattern;  // a glob; none: the header is there
};

struct RuleSetting {
  enum class From { literal, group, header, title, language };
  bool of_url = false;
  std::string key;
  From from = From::literal;
  std::string text;  // the literal, or the header's name in lower case
  int group = 0;
};

struct Rule {
  std::vector<RuleMatch> matches;
  std::optional<UrlRegex> regex;
  std::vector<RuleSetting> settings;
};

// invalid with "NAME:LINE:COLUMN: what is wrong".
Result<std::vector<Rule>> parse_rules(std::string_view text, const std::string& name);

std::string ascii_lower(std::string_view text);

}  // namespace blockarch
