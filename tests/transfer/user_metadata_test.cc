#include "transfer/user_metadata.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("user metadata of any bytes survives as a field") {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  for (const std::string& value : {std::string("plain"), std::string("a = b%41 c"), all}) {
    const std::string field = user_metadata_field(value, value);
    for (const char c : field) CHECK((c > 0x20 && c < 0x7f));
    const auto back = user_metadata_from_field("blockarch-META", field);
    REQUIRE(back);
    CHECK(back->first == value);
    CHECK(back->second == value);
  }
}

TEST_CASE("fields that are not ours are left alone") {
  CHECK(!user_metadata_from_field("WARC-IP-Address", "a=b"));
  CHECK(!user_metadata_from_field("Blockarch-Meta", "no equals sign"));
  CHECK(!user_metadata_from_field("Blockarch-Meta", "=value"));
  CHECK(!user_metadata_from_field("Blockarch-Meta", "key=%4"));
  CHECK(!user_metadata_from_field("Blockarch-Meta", "key=%zz"));
}
