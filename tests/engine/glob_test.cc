#include "engine/glob.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace blockarch;

TEST_CASE("globs match as people expect") {
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("*", "anything"));
  CHECK(matches_glob("https://*.org/*", "https://a.b.org/x/y"));
  CHECK(matches_glob("a?c", "abc"));
  CHECK(matches_glob("*b*b*", "abcb"));
  CHECK_FALSE(matches_glob("a?c", "ac"));
  CHECK_FALSE(matches_glob("a", "ab"));
  CHECK_FALSE(matches_glob("", "a"));
  CHECK_FALSE(matches_glob("*x", "abc"));
}

TEST_CASE("a pattern of many stars does not explode") {
  const std::string pattern = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
  CHECK_FALSE(matches_glob(pattern, std::string(5000, 'a')));
}
