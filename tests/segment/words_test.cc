#include "segment/words.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {
namespace {

using Words = std::vector<std::string_view>;

TEST_CASE("words of ASCII text are what ICU finds in the same text beyond ASCII") {
  for (const std::string text :
       {"Don't panic, it's 3.14 or 1,000.5 (about) example.com - well_known x-ray's a.b.c. 'quoted' 12a a12 3.a ,5",
        "one  two\tthree\nfour; 1;2 a;b __ _a_ a.1 1.a e.g. U.S.A. end.", "", "...", "a"}) {
    INFO(text);
    // One sign beyond ASCII at the end sends the whole text to ICU.
    const std::string other = text + " \xe2\x80\x94";
    Words expected = split_words(other, 1000);
    const Words got = split_words(text, 1000);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == expected[i]);
  }
}

TEST_CASE("no more words than asked for") {
  CHECK(split_words("a b c d", 2) == Words{"a", "b"});
  CHECK(split_words("\xc3\xa4 b c d", 2) == Words{"\xc3\xa4", "b"});
}

TEST_CASE("bytes that are no UTF-8 end words and do no harm") {
  CHECK(split_words("ab \xff\xfe cd", 10) == Words{"ab", "cd"});
}

TEST_CASE("lower case and stems") {
  CHECK(lower_case("ÄRGER") == "ärger");
  const Language& english = guess_language({"the", "boats", "and", "the", "wind"});
  CHECK(stem(english, "sailing") == "sail");
  CHECK(is_stop_word(english, "the"));
  CHECK_FALSE(is_stop_word(english, "und"));
  CHECK(is_stop_word(english, "的"));
  const Language& german = guess_language({"die", "katze", "und", "der", "hund", "ist"});
  CHECK(is_stop_word(german, "und"));
}

}  // namespace
}  // namespace blockarch
