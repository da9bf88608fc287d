// What a command works with: the options of the whole program, where to print, and the archive they name.
#pragma once

#include <memory>
#include <vector>

#include "base/time.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "engine/archive.h"

namespace blockarch {

// The program's own description, as it is parsed, explained and completed.
struct Program {
  GlobalOptions options;
  std::vector<Argument> global_arguments;
  std::vector<std::unique_ptr<Command>> commands;  // in the order in which the help lists them

  Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Command* find(std::string_view name) const;
};

struct Session {
  const Program& program;
  const GlobalOptions& options;
  Output& out;
  Time now;  // what relative dates count from
};

Result<Archive> open_archive(const Session& session);

}  // namespace blockarch
