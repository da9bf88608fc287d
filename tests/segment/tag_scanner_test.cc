#include "segment/tag_scanner.h"

#include "tests/segment/pages.h"

using namespace blockarch;

namespace {

std::string letter(PieceKind kind) {
  switch (kind) {
    case PieceKind::text:
      return "T";
    case PieceKind::start_tag:
      return "S";
    case PieceKind::end_tag:
      return "E";
    case PieceKind::single_tag:
      return "1";
    case PieceKind::raw:
      return "R";
    case PieceKind::other:
      return "O";
    case PieceKind::end:
      break;
  }
  return "";
}

// "S<p> T:a E</p>"
std::string scan(ByteView page) {
  TagScanner scanner(page);
  std::string result;
  std::uint32_t at = 0;
  for (Piece piece = scanner.next(); piece.kind != PieceKind::end; piece = scanner.next()) {
    REQUIRE(piece.begin == at);
    REQUIRE(piece.end > piece.begin);
    at = piece.end;
    if (!result.empty()) result += "|";
    result += letter(piece.kind) + std::string(page.substr(piece.begin, piece.end - piece.begin));
  }
  REQUIRE(at == page.size());
  REQUIRE(scanner.next().kind == PieceKind::end);
  return result;
}

}  // namespace

TEST_CASE("a page is scanned into text and tags") {
  CHECK(scan("<p class=a>x<br>y</p>") == "S<p class=a>|Tx|1<br>|Ty|E</p>");
  CHECK(scan("<!doctype html><!-- <p> --><?php ?>x") == "O<!doctype html>|O<!-- <p> -->|O<?php ?>|Tx");
  CHECK(scan("<foo/><div/>") == "1<foo/>|S<div/>");
}

TEST_CASE("tags end where the standard ends them") {
  CHECK(scan("<a title=\"x>y\">z") == "S<a title=\"x>y\">|Tz");
  CHECK(scan("<a title = 'x>y'>z") == "S<a title = 'x>y'>|Tz");
  CHECK(scan("<a ti\"tle>z") == "S<a ti\"tle>|Tz");
  CHECK(scan("<a b=c\"d>z") == "S<a b=c\"d>|Tz");
  CHECK(scan("a < b <3 c") == "Ta < b <3 c");
  CHECK(scan("a</ b>c") == "Ta|O</ b>|Tc");
  CHECK(scan("<!-->x-->") == "O<!-->|Tx-->");
}

TEST_CASE("what stands in scripts is no markup") {
  CHECK(scan("<script>a<b></scriptx></SCRIPT >c") == "S<script>|Ra<b></scriptx>|E</SCRIPT >|Tc");
  CHECK(scan("<style></style>x") == "S<style>|E</style>|Tx");
}

TEST_CASE("what is cut off goes to the end of the page") {
  for (const char* page : {"<", "</", "<a", "<a b", "<a b=", "<a b='", "<!", "<!-", "<!--", "<script>x", "<script"}) {
    scan(page);
  }
  for (const std::string& page : sample_pages()) scan(page);
}

TEST_CASE("tags have numbers by name") {
  CHECK(traits_of(tag_number("h3")).heading == 3);
  CHECK(traits_of(tag_number("td")).scope);
  CHECK(tag_number("nonesuch") == kUnknownTag);
  CHECK(tag_number("") == kUnknownTag);
  CHECK_FALSE(traits_of(kUnknownTag).block);
}
