// What was learnt about how to cut a URL's pages, for people and programs.
#pragma once

#include <string>

#include "cli/json.h"
#include "history/levels.h"

namespace blockarch {

// "as always", "level 2", "3 whole, 1 finer"
std::string cut_text(const CutChoice& choice);
// "-12.5 %", "same"
std::string percent_text(std::uint64_t now, std::uint64_t before);
Json level_json(const LearntLevel& level);
// Lines that explain it.
std::vector<std::string> explain_level(const LearntLevel& level);

}  // namespace blockarch
