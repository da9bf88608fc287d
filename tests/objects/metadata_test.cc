#include "objects/metadata.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/decoder_checks.h"

using namespace blockarch;

TEST_CASE("metadata is sorted by key and keeps the order of equal keys") {
  const Metadata metadata = make_metadata({{"b", "1"}, {"a", "2"}, {"b", "0"}}).value();
  REQUIRE(metadata.entries.size() == 3);
  CHECK(metadata.entries[0] == std::pair<std::string, std::string>("a", "2"));
  CHECK(metadata.entries[1].second == "1");
  CHECK(metadata.entries[2].second == "0");
  CHECK(decode_metadata(encode_metadata(metadata)).value() == metadata);
}

TEST_CASE("the encoding of metadata is pinned") {
  const Metadata metadata = make_metadata({{"status", "200"}, {"server", "nginx"}}).value();
  CHECK(id_of(metadata).hash.hex() == "ea607890923679ccee8e866dc86e6f4262365b9c68492fff0947f15663bb2c51");
}

TEST_CASE("damaged metadata is refused or decodes to what encodes to the same bytes") {
  check_decoder(encode_metadata(make_metadata({{"a", "1"}, {"k", ""}, {"k", "\n"}}).value()), decode_metadata,
                encode_metadata);
}

TEST_CASE("metadata over its limits is refused by name") {
  CHECK(make_metadata({{"", "x"}}).error().code == ErrorCode::invalid);
  CHECK(make_metadata({{std::string(256, 'k'), "x"}}).error().code == ErrorCode::invalid);
  CHECK(make_metadata({{"big", std::string(kMaxMetadataValue + 1, 'v')}}).error().message.find("big") !=
        std::string::npos);
  CHECK_FALSE(
      make_metadata(std::vector<std::pair<std::string, std::string>>(kMaxMetadataEntries + 1, {"k", "v"})).has_value());
}
