// Completion scripts, made from the commands' own descriptions.
#pragma once

#include <string>

#include "cli/session.h"

namespace blockarch {

std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);
std::string fish_completion(const Program& program);

}  // namespace blockarch
