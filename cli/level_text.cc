#include "cli/level_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/text.h"

namespace blockarch {
namespace {

Json cost_json(const CutCost& cost) {
  return {{"stored_size", cost.stored}, {"new_count", cost.objects}, {"changed_size", cost.fresh}};
}

}  // namespace

std::string cut_text(const CutChoice& choice) {
  if (choice.is_default()) return "as always";
  std::string text = choice.level > 0 ? fmt::format("level {}", choice.level) : "";
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(choice.rules.whole.size(), "whole");
  add(choice.rules.fine.size(), "finer");
  return text;
}

std::string percent_text(std::uint64_t now, std::uint64_t before) {
  if (now == before || before == 0) return "same";
  return fmt::format("{:+.1f} %", 100.0 * static_cast<double>(now) / static_cast<double>(before) - 100);
}

Json level_json(const LearntLevel& level) {
  return {{"url", level.url},
          {"level", level.choice.level},
          {"whole", level.choice.rules.whole},
          {"finer", level.choice.rules.fine},
          {"learnt_from", level.learnt_from},
          {"checked_on", level.checked_on},
          {"by_default", cost_json(level.by_default)},
          {"by_choice", cost_json(level.by_choice)}};
}

std::vector<std::string> explain_level(const LearntLevel& level) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("learnt from {} and checked on the {} after them",
                              counted(level.learnt_from, "version", "versions"), level.checked_on));
  if (level.choice.is_default()) {
    lines.push_back("nothing that was tried takes clearly less room than the usual way");
    return lines;
  }
  if (level.choice.level > 0) lines.push_back(fmt::format("cut to level {} only", level.choice.level));
  for (const std::string& path : level.choice.rules.whole)
    lines.push_back("kept whole, since it changes as a whole: " + path);
  for (const std::string& path : level.choice.rules.fine)
    lines.push_back("cut finer, since little of it changes at a time: " + path);
  lines.push_back(fmt::format("stored bytes {} ({} instead of {}), changed bytes {} ({} instead of {})",
                              percent_text(level.by_choice.stored, level.by_default.stored),
                              human_size(level.by_choice.stored), human_size(level.by_default.stored),
                              percent_text(level.by_choice.fresh, level.by_default.fresh),
                              human_size(level.by_choice.fresh), human_size(level.by_default.fresh)));
  return lines;
}

}  // namespace blockarch
