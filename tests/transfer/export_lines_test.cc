#include "transfer/export_lines.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/test_archive.h"

namespace blockarch {

TEST_CASE("lines come out sorted, with little memory as with much") {
  std::vector<std::string> lines;
  for (unsigned i = 0; i < 5000; ++i) lines.push_back(std::to_string(i * 2654435761U % 10'000) + " line\n");
  std::vector<std::string> expected = lines;
  std::sort(expected.begin(), expected.end());
  for (const std::size_t memory : {std::size_t{1000}, std::size_t{50'000}, std::size_t{1} << 30}) {
    SortedLines sorted(memory);
    for (const std::string& line : lines) must(sorted.add(line));
    std::vector<std::string> got;
    must(sorted.finish([&](ByteView line) -> Result<void> {
      got.emplace_back(line);
      return {};
    }));
    CHECK(got == expected);
  }
}

}  // namespace blockarch
