// What an import shows: a line while it runs, a table when it is over.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/output.h"
#include "cli/progress.h"
#include "transfer/import.h"

namespace blockarch {

// "1.2 GiB of 3.8 GiB, 812/s, 12 new, 340 changed, 5,021 unchanged, 1 problem, 0:42 left".
class ImportLine {
 public:
  explicit ImportLine(bool no_color) : progress_(no_color), begin_(std::chrono::steady_clock::now()) {}
  void update(const ImportProgress& now);
  void finish() { progress_.finish(); }

 private:
  Progress progress_;
  std::chrono::steady_clock::time_point begin_;
};

void print_import_summary(Output& out, const ImportSummary& summary);
nlohmann::json import_summary_json(const ImportSummary& summary);

}  // namespace blockarch
