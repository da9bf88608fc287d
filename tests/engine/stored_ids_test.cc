#include "engine/stored_ids.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace blockarch;

TEST_CASE("only ids that were added are known to be stored, and none after clear") {
  StoredIds ids;
  std::size_t known = 0;
  for (int n = 0; n < 1000; ++n) {
    const Hash256 id = blake3(std::to_string(n));
    CHECK(!ids.contains(id));
    ids.add(id);
    CHECK(ids.contains(id));
  }
  for (int n = 0; n < 1000; ++n) {
    known += ids.contains(blake3(std::to_string(n))) ? 1 : 0;
    CHECK(!ids.contains(blake3("other " + std::to_string(n))));
  }
  CHECK(known > 900);
  ids.clear();
  for (int n = 0; n < 1000; ++n) CHECK(!ids.contains(blake3(std::to_string(n))));
}
