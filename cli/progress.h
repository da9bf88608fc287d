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
  // The same with bytes for counts, and `more` after them.
  void update_bytes(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view more);
  void finish();

 private:
  bool is_due();
  void draw(std::string_view stage, std::uint64_t done, std::uint64_t total, const std::string& counts);

  Terminal terminal_;
  std::chrono::steady_clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace blockarch
