#include "segment/media_type.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace blockarch {
namespace {

using namespace std::string_literals;

TEST_CASE("a payload is HTML where it begins as a page or a fragment of one does") {
  const std::string page =
      GENERATE(as<std::string>(), "<!DOCTYPE html><p>x", "<HTML>", "\xef\xbb\xbf <body>x", "<!-- x --><p>", "<ul><li>x",
               "<section class=a>x", "<nav>x", "<article>x", "<main\n>x", "<H2>x", "<p>x", "<p class='a'>x", "<br/>x",
               "Warning: headers were sent<html><body>");
  CAPTURE(page);
  CHECK(sniff_media_type(page) == "text/html");
}

TEST_CASE("what merely begins with an angle bracket is no HTML") {
  const std::string text =
      GENERATE(as<std::string>(), "< 3 of them", "<ulm>x", "<data>1</data>", "<link>http://a/</link>", "<", "<p",
               "<-- a", "<ann@example.com> wrote", "<blockquotes>x", "just text");
  CAPTURE(text);
  CHECK(sniff_media_type(text) == "text/plain");
}

TEST_CASE("feeds and other XML are told by their first element or declaration") {
  CHECK(sniff_media_type("<rss version='2.0'>") == "application/xml");
  CHECK(sniff_media_type("<feed xmlns='a'>") == "application/xml");
  CHECK(sniff_media_type("<?xml version='1.0'?><a/>") == "application/xml");
  CHECK(sniff_media_type("<?xml version='1.0'?><html/>") == "application/xhtml+xml");
}

TEST_CASE("pictures, archives and bytes that are no text are told apart") {
  CHECK(sniff_media_type("\x89PNG\r\n\x1a\n and so on"s) == "image/png");
  CHECK(sniff_media_type("RIFF1234WEBPVP8 "s) == "image/webp");
  CHECK(sniff_media_type("\x1f\x8b\x08"s) == "application/gzip");
  CHECK(sniff_media_type("a\0b"s) == "application/octet-stream");
  CHECK(sniff_media_type("{\"a\": 1}") == "application/json");
  CHECK(sniff_media_type("") == "text/plain");
}

}  // namespace
}  // namespace blockarch
