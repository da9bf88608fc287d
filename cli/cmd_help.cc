// blockarch help.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/help.h"

namespace blockarch {
namespace {

class HelpCommand : public Command {
 public:
  HelpCommand() : Command("help", "explain a command, or list them all") {
    synopsis("help [COMMAND]");
    describe("With --json, describes every command, option and operand for programs.");
    operand("COMMAND", &command_, "the command to explain");
    example("help log", "what can be asked of a history");
  }

  Result<ExitCode> run(Session& session) override {
    if (session.options.json) {
      write_json_document(session.out, program_json(session.program));
    } else if (command_.empty()) {
      print_program_help(session.out, session.program);
    } else if (const Command* command = session.program.find(command_)) {
      print_command_help(session.out, session.program, *command);
    } else {
      return Error{ErrorCode::invalid, fmt::format("there is no command '{}'; 'blockarch help' lists them", command_)};
    }
    return ExitCode::done;
  }

 private:
  std::string command_;
};

}  // namespace

std::unique_ptr<Command> make_help_command() {
  return std::make_unique<HelpCommand>();
}

}  // namespace blockarch
