// From argv to a command with its targets set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/session.h"

namespace blockarch {

struct Parsed {
  Command* command = nullptr;  // null where none was named
  std::optional<Error> error;  // `invalid`
  std::string hint;            // goes with the error
};

// Global options may stand before or after the command's name. With --help or --version nothing that is
// missing is an error.
Parsed parse_arguments(Program& program, std::vector<std::string> arguments);

}  // namespace blockarch
