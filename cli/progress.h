// A line on standard error that tells how far long work has come; only on a terminal, and only where it takes
// a while.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/output.h"

namespace blockarch {

class Progress {
 public:
  explicit Progress(bool no_color);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Wipes the line.
  ~Progress();

  // Cheap enough to be called for every step. `total` 0 = not known.
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total);
  void finish();

 private:
  void draw(std::string_view stage, std::uint64_t done, std::uint64_t total);

  Terminal terminal_;
  std::chrono::steady_clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace blockarch
