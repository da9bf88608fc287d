#include "cli/significance.h"

#include "cli/files.h"

namespace blockarch {

Result<ChosenSignificance> ChosenSignificance::make(const SignificanceFlags& flags) {
  ChosenSignificance chosen;
  if (flags.by) {
    BA_ASSIGN(chosen.options_, parse_basis(*flags.by));
  }
  if (flags.rules) {
    BA_ASSIGN(const Bytes text, read_input(*flags.rules, kMaxSignificanceFile));
    BA_ASSIGN(SignificanceRules rules,
              SignificanceRules::parse(text, *flags.rules == "-" ? "standard input" : *flags.rules));
    chosen.own_.emplace(std::move(rules));
  }
  return chosen;
}

}  // namespace blockarch
