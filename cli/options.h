// What every command understands.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/command.h"

namespace blockarch {

struct GlobalOptions {
  std::string directory;  // -C; empty where it was not given
  double wait_seconds = 10;
  bool json = false;
  bool no_color = false;
  bool help = false;
  bool version = false;

  // -C, else BLOCKARCH_DIR, else the current directory.
  std::string archive_directory() const;
  std::chrono::milliseconds wait() const;
};

std::vector<Argument> global_arguments(GlobalOptions& options);

}  // namespace blockarch
