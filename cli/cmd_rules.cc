// blockarch rules: what counts as noise.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/json.h"
#include "cli/session.h"
#include "cli/text.h"
#include "history/significance_rules.h"

namespace blockarch {
namespace {

class RulesCommand : public Command {
 public:
  RulesCommand() : Command("rules", "show the built-in rules for noise, or check a file of rules") {
    synopsis("rules [FILE]");
    describe(
        "Prints the rules that 'log --significant' and 'diff --significant' use, to be copied and changed; or reads "
        "the "
        "rules in FILE and says where they are wrong, by line and column. Needs no archive.");
    operand("FILE", &file_, "rules to check; '-': standard input").kind = ValueKind::file;
    example("rules > my.rules", "a copy to change");
    example("rules my.rules", "are they right?");
  }

  Result<ExitCode> run(Session& session) override {
    if (file_.empty()) {
      const SignificanceRules& rules = SignificanceRules::built_in();
      if (!session.options.json) {
        session.out.write(SignificanceRules::built_in_text());
      } else {
        write_json_document(session.out, {{"name", rules.name()},
                                          {"rules", rules.size()},
                                          {"text", std::string(SignificanceRules::built_in_text())}});
      }
      return ExitCode::done;
    }
    BA_ASSIGN(const Bytes text, read_input(file_, kMaxSignificanceFile));
    BA_ASSIGN(const SignificanceRules rules, SignificanceRules::parse(text, file_ == "-" ? "standard input" : file_));
    if (session.options.json) {
      write_json_document(session.out, {{"name", rules.name()}, {"rules", rules.size()}});
    } else {
      session.out.line(fmt::format("{}: {}", printable(rules.name()), counted(rules.size(), "rule", "rules")));
    }
    return ExitCode::done;
  }

 private:
  std::string file_;
};

}  // namespace

std::unique_ptr<Command> make_rules_command() {
  return std::make_unique<RulesCommand>();
}

}  // namespace blockarch
