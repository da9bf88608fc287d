#include "refs/number_table.h"

#include "tests/support/hot_file.h"

using namespace blockarch;

TEST_CASE("numbers are dense, start at zero and keep their ids") {
  HotFile hot;
  const std::uint32_t kCount = 1000;
  for (std::uint32_t begin = 0; begin < kCount; begin += 100) {
    hot.write([&](WriteTransaction& t) -> Result<void> {
      for (std::uint32_t i = begin; i < begin + 100; ++i) {
        BA_ASSIGN(const auto n, append_number(t, hot.tables.version_numbers, VersionId{blake3(std::to_string(i))}));
        CHECK(n.value == i);
      }
      return {};
    });
  }
  const auto read = hot.lmdb.read();
  CHECK(number_table::count(*read, hot.tables.version_numbers).value() == kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    CHECK(id_of_number(*read, hot.tables.version_numbers, VersionNumber{i})->hash == blake3(std::to_string(i)));
  }
  CHECK(id_of_number(*read, hot.tables.version_numbers, VersionNumber{kCount}).error().code == ErrorCode::corrupt);
  CHECK(number_table::count(*read, hot.tables.metadata_numbers).value() == 0);
}
