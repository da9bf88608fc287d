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
    // With a sign beyond ASCII before every word all of them are sent to ICU.
    std::string other = "\xe2\x80\x94 ";
    for (const char c : text) other += c == ' ' ? " \xe2\x80\x94 " : std::string(1, c);
    const Words expected = split_words(other, 1000);
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

TEST_CASE("what stands beside a text does not change its words, wherever ICU takes over") {
  const std::vector<std::string> parts = {"plain words, don't 1,000.5 e.g. x",
                                          "caf\xc3\xa9 l\xe2\x80\x99\xc3\xa9t\xc3\xa9",
                                          "\xe4\xb8\xad\xe5\x9b\xbd\xe4\xba\xba\xe6\xb0\x91",
                                          "\xcc\x81 lone accent",
                                          "a\xc2\xa0"
                                          "b",
                                          "\xe2\x80\x94 dash",
                                          "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa flag",
                                          "long enough to be cut apart by itself, is it not",
                                          "\xd0\x9c\xd0\xb8\xd1\x80. \xd0\x98"};
  for (const std::string& first : parts) {
    for (const std::string& second : parts) {
      for (const std::string between : {" ", "\n", "  "}) {
        const std::string text = first + between + second;
        INFO(text);
        std::vector<std::string> apart;
        for (const std::string* const part : {&first, &second}) {
          for (const std::string_view word : split_words(*part, 1000)) apart.emplace_back(word);
        }
        const Words got = split_words(text, 1000);
        CHECK(std::vector<std::string>(got.begin(), got.end()) == apart);
      }
    }
  }
}

TEST_CASE("lower case and stems") {
  const auto language_of = [](const Words& words) -> const Language& {
    std::vector<StopWordOf> stops;
    for (const std::string_view word : words) stops.push_back(stop_word_of(word));
    return guess_language(stops);
  };
  CHECK(lower_case("ÄRGER") == "ärger");
  const Language& english = language_of({"the", "boats", "and", "the", "wind"});
  CHECK(stem(english, "sailing") == "sail");
  CHECK(is_stop_word(english, stop_word_of("the")));
  CHECK_FALSE(is_stop_word(english, stop_word_of("und")));
  CHECK(is_stop_word(english, stop_word_of("的")));
  const Language& german = language_of({"die", "katze", "und", "der", "hund", "ist"});
  CHECK(is_stop_word(german, stop_word_of("und")));
}

}  // namespace
}  // namespace blockarch
