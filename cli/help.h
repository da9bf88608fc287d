// What the program says about itself.
#pragma once

#include "cli/json.h"
#include "cli/session.h"

namespace blockarch {

void print_program_help(Output& out, const Program& program);
void print_command_help(Output& out, const Program& program, const Command& command);
void print_version(Output& out, bool json);

// Every command with its options and operands, for programs that wrap this one.
Json program_json(const Program& program);

}  // namespace blockarch
