#include "warc/clean_url.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("a good URL stays as it is") {
  const auto clean = clean_url("http://example.com/a?b=ü");
  REQUIRE(clean.has_value());
  CHECK(clean->url == "http://example.com/a?b=ü");
  CHECK(clean->defect.empty());
}

TEST_CASE("brackets, blanks and control bytes are taken care of and named") {
  CHECK(clean_url("<http://example.com/>")->url == "http://example.com/");
  CHECK(clean_url(" http://example.com/ ")->url == "http://example.com/");
  const auto spaces = clean_url("http://example.com/a b\tc");
  REQUIRE(spaces.has_value());
  CHECK(spaces->url == "http://example.com/a%20b%09c");
  CHECK(spaces->defect == "spaces inside, control bytes inside");
}

TEST_CASE("a URL that cannot be made one is refused") {
  CHECK_FALSE(clean_url("").has_value());
  CHECK_FALSE(clean_url("no scheme").has_value());
  CHECK_FALSE(clean_url(std::string_view("http://example.com/\0", 20)).has_value());
  CHECK_FALSE(clean_url("http://example.com/" + std::string(1 << 17, 'a')).has_value());
}
