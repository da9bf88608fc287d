#include <unistd.h>

#include <new>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/parser.h"
#include "cli/process.h"
#include "cli/session.h"

namespace blockarch {
namespace {

Result<ExitCode> run_command(const Program& program, Command* command, Output& out) {
  if (program.options.version) {
    print_version(out, program.options.json);
  } else if (command == nullptr) {
    print_program_help(out, program);
    // Asked for nothing: the help, but not success.
    return program.options.help ? ExitCode::done : ExitCode::usage;
  } else if (program.options.help) {
    print_command_help(out, program, *command);
  } else {
    Session session{.program = program, .options = program.options, .out = out, .now = now()};
    return command->run(session);
  }
  return ExitCode::done;
}

int fail(const Error& error, std::string_view hint = {}) {
  print_error(error, hint);
  return static_cast<int>(exit_code(error.code));
}

int run(std::vector<std::string> arguments) {
  Program program;
  const Parsed parsed = parse_arguments(program, std::move(arguments));
  if (parsed.error) return fail(*parsed.error, parsed.hint);
  Output out(STDOUT_FILENO, "standard output", Terminal::of(STDOUT_FILENO, program.options.no_color));
  const Result<ExitCode> code = run_command(program, parsed.command, out);
  // What was printed before an error is printed, and an output that failed is a failure whatever else
  // happened.
  const Result<void> flushed = out.flush();
  if (!code) return fail(code.error());
  if (!flushed) return fail(flushed.error());
  return static_cast<int>(*code);
}

}  // namespace
}  // namespace blockarch

int main(int count, char** arguments) {
  using namespace blockarch;
  prepare_process();
  try {
    return run({arguments + std::min(count, 1), arguments + count});
  } catch (const std::bad_alloc&) {
    print_error({ErrorCode::too_large, "out of memory"});
    return static_cast<int>(ExitCode::failure);
  }
}
