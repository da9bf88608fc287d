// The one place that turns errors into exit codes and lines on standard error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

// docs/cli.md, "Exit codes".
enum class ExitCode : int {
  done = 0,
  failure = 1,
  usage = 2,
  partly = 3,
  not_found = 4,
  damaged = 5,
  no_archive = 10,
  locked = 11,
  interrupted = 130,
};

ExitCode exit_code(ErrorCode code);

// "blockarch: MESSAGE", and a "hint: …" line where one is given or the code has one.
void print_error(const Error& error, std::string_view hint = {});
// "blockarch: warning: MESSAGE"; the run goes on.
void print_warning(std::string_view message);
// A remark for people, where somebody is watching: nothing unless standard error is a terminal.
void print_note(std::string_view message);

}  // namespace blockarch
