#include "history/reader_text.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {

TEST_CASE("a reader sees text, not tags") {
  CHECK(reader_text("<p>One <b>two</b>\n\n  th<i>r</i>ee &amp; four</p>", "utf-8", true) == "One two three & four");
  CHECK(reader_text("<li>a</li><li>b</li>", "utf-8", true) == "a b");
  CHECK(reader_text("a<br>b", "utf-8", true) == "a b");
  CHECK(reader_text("<script>var x = 1;</script>text<style>p{}</style><!-- no -->", "utf-8", true) == "text");
  CHECK(reader_text("  ", "utf-8", true).empty());
  CHECK(reader_text("", "utf-8", true).empty());
}

TEST_CASE("text without markup is its words") {
  CHECK(reader_text("a <b> &amp;\n c", "utf-8", false) == "a <b> &amp; c");
}

TEST_CASE("what is not UTF-8 is read in its charset") {
  CHECK(reader_text("<p>caf\xe9</p>", "windows-1252", true) == "café");
}

TEST_CASE("a block may begin and end anywhere") {
  CHECK(reader_text("d</p><p>text</p><a hre", "utf-8", true).find("text") != std::string::npos);
  CHECK(reader_text("a & b &", "utf-8", true) == "a & b &");
}

TEST_CASE("pages and feeds have markup") {
  Version version;
  CHECK(has_markup(version));
  for (const char* type : {"text/html", "application/xhtml+xml", "application/rss+xml"}) {
    version.media_type = type;
    CHECK(has_markup(version));
  }
  version.media_type = "text/plain";
  CHECK_FALSE(has_markup(version));
}

}  // namespace blockarch
