#include "transfer/saved_page.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

std::string single_file(const std::string& date) {
  return "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://example.org/a?b=1 \n saved "
         "date: " +
         date + "\n--><meta charset=utf-8>";
}

}  // namespace

TEST_CASE("the note of a browser's Save page as is read") {
  const auto url = [](const std::string& page) {
    const auto note = find_saved_page_note(page);
    return note ? note->url : "none";
  };
  CHECK(url("<!DOCTYPE html>\n<!-- saved from url=(0020)https://example.org/ -->\n<html>") == "https://example.org/");
  CHECK(url("<!-- saved from url=(0099)https://example.org/ -->") == "https://example.org/");
  CHECK(url("<!-- x --><!-- saved from url=(0020)https://example.org/ -->") == "https://example.org/");
  CHECK(url("<!-- saved from url=(0014)about:internet -->") == "none");
  CHECK(url("<!-- saved from url=(0020)https://example.org/ ") == "none");
  CHECK(url("<!-- saved from url=(00000020)https://example.org/ -->") == "none");
  CHECK(url("<!-- saved from url=(0005)https://two words -->") == "none");
  CHECK(url("saved from url=(0020)https://example.org/") == "none");
  CHECK(url("") == "none");
  CHECK(url(std::string(kNoteWindow, ' ') + "<!-- saved from url=(0020)https://example.org/ -->") == "none");
}

TEST_CASE("the note of SingleFile has URL and date") {
  const auto note =
      find_saved_page_note(single_file("Mon Jan 01 2024 12:30:00 GMT+0100 (Central European Standard Time)"));
  REQUIRE(note);
  CHECK(note->url == "https://example.org/a?b=1");
  REQUIRE(note->time);
  CHECK(format_rfc3339(*note->time) == "2024-01-01T11:30:00Z");
}

TEST_CASE("a date that cannot be read leaves the note its URL") {
  for (const char* date : {"", "yesterday", "Mon Foo 01 2024 12:30:00 GMT+0100", "Mon Jan 99 2024 12:30:00 GMT+0100",
                           "Mon Jan 01 2024 12:30:00 GMT?0100", "Mon Jan 01 2024 12:30:00 GMT+"}) {
    INFO(date);
    const auto note = find_saved_page_note(single_file(date));
    REQUIRE(note);
    CHECK(note->url == "https://example.org/a?b=1");
    CHECK_FALSE(note->time);
  }
}
