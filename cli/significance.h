// --significant, --rules and --by, which several commands take.
#pragma once

#include <optional>
#include <string>

#include "history/meaning.h"
#include "history/significance_rules.h"

namespace blockarch {

struct SignificanceFlags {
  bool significant = false;
  std::optional<std::string> rules;  // a file
  std::optional<std::string> by;

  // Rules or a basis without --significant are meant to be used.
  bool wanted() const { return significant || rules || by; }
};

// The rules of the file, or the built-in ones. `invalid` names file, line and column.
class ChosenSignificance {
 public:
  static Result<ChosenSignificance> make(const SignificanceFlags& flags);
  const SignificanceRules& rules() const { return own_ ? *own_ : SignificanceRules::built_in(); }
  const SignificanceOptions& options() const { return options_; }

 private:
  std::optional<SignificanceRules> own_;
  SignificanceOptions options_;
};

}  // namespace blockarch
