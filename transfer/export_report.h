// What an export tells about itself, whatever the format.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace blockarch {

struct ExportReport {
  std::uint64_t urls = 0;           // with at least one capture in it
  std::uint64_t captures = 0;       // in it
  std::uint64_t payload_bytes = 0;  // of those, as pages
  std::uint64_t output_bytes = 0;   // written
  std::uint64_t revisits = 0;       // of the captures, those that name another record instead of repeating it
  std::uint64_t commits = 0;        // git
  std::uint64_t branches = 0;       // git
  std::uint64_t objects = 0;        // git
  std::uint64_t files = 0;          // html, besides the index
  // One line for each capture that could not be read, the first kMaxProblems; `lost` counts all.
  std::vector<std::string> problems;
  std::uint64_t lost = 0;

  static constexpr std::size_t kMaxProblems = 1000;
  void add_problem(std::string message) {
    ++lost;
    if (problems.size() < kMaxProblems) problems.push_back(std::move(message));
  }
};

// Captures looked at, of so many.
using ExportProgressFunction = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace blockarch
