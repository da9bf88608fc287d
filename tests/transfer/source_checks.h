// Reads a source to its end as an import does, in one thread.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.h"
#include "transfer/source.h"

namespace blockarch {

struct ReadSource {
  std::vector<DecodedCapture> captures;
  std::vector<Problem> problems;

  std::vector<std::string> urls() const {
    std::vector<std::string> found;
    for (const DecodedCapture& capture : captures) found.push_back(capture.url);
    return found;
  }
};

inline ReadSource read_all(CaptureSource& source) {
  ReadSource all;
  while (true) {
    auto raw = source.next(all.problems);
    if (!raw) FAIL(raw.error().message);
    if (!*raw) return all;
    Decoded decoded = (*raw)->decode();
    for (DecodedCapture& capture : decoded.captures) {
      CHECK(capture.payload_is_owned);
      all.captures.push_back(std::move(capture));
    }
    for (Problem& problem : decoded.problems) all.problems.push_back(std::move(problem));
  }
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace blockarch
