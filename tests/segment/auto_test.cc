#include "segment/auto.h"

#include "tests/segment/pages.h"

using namespace blockarch;

TEST_CASE("what a payload is follows from its bytes where the media type is vague or wrong") {
  const std::string feed = "<?xml version='1.0'?><rss><channel/></rss>";
  CHECK(sniff_markup(feed, "text/html") == Markup::xml);
  CHECK(sniff_markup(feed, "application/rss+xml") == Markup::xml);
  CHECK(sniff_markup(feed, "") == Markup::xml);
  CHECK(sniff_markup("\xEF\xBB\xBF \n<!-- c --><feed xmlns='a'>", "text/html") == Markup::xml);
  CHECK(sniff_markup("<feedback>x</feedback>", "text/html") == Markup::html);
  CHECK(sniff_markup("<?xml version='1.0'?><data/>", "") == Markup::xml);
  CHECK(sniff_markup("<svg/>", "image/svg+xml") == Markup::xml);
  CHECK(sniff_markup("<!DOCTYPE html><p>", "") == Markup::html);
  CHECK(sniff_markup("<!DOCTYPE html><p>", "application/octet-stream") == Markup::html);
  CHECK(sniff_markup("<!doctype HTML><p>", "text/xml") == Markup::html);
  CHECK(sniff_markup("<?xml version='1.0'?><html xmlns='x'/>", "text/html") == Markup::html);
  CHECK(sniff_markup("<?xml version='1.0'?><html xmlns='x'/>", "application/xhtml+xml") == Markup::xml);
  CHECK(sniff_markup("<html xmlns='x'/>", "application/xhtml+xml") == Markup::xml);
  CHECK(sniff_markup("plain words", "text/html") == Markup::html);
  CHECK(sniff_markup("plain words", "") == Markup::none);
  CHECK(sniff_markup("", "") == Markup::none);
  CHECK(sniff_markup("{\"a\": \"<html>\"}", "application/json") == Markup::none);
  CHECK(sniff_markup("<html>", "text/css") == Markup::none);
  CHECK(sniff_markup("<html>", "image/png") == Markup::none);
}

TEST_CASE("what is no markup is one region") {
  for (const char* type : {"text/css", "application/javascript", "application/json", "application/pdf", "image/png"}) {
    const std::string payload = div_page();
    const Segmentation segmentation = segment_as(payload, type);
    require_well_formed(payload, segmentation);
    CHECK(segmentation.regions.size() == 1);
  }
}

TEST_CASE("pages of all kinds are cut") {
  CHECK(leaf_regions(segment_as(div_page())).size() > 15);
  CHECK(leaf_regions(segment_as(table_page())).size() > 10);
  CHECK(leaf_regions(segment_as(broken_page())).size() > 5);
  for (const std::string& page : sample_pages()) {
    for (int level = 0; level <= kMaxLevel; ++level) {
      require_well_formed(page, segment_as(page, "text/html", level), level == 0 ? kMaxLevel : level);
    }
  }
}

TEST_CASE("a level out of range is taken as the nearest there is") {
  const std::string page = div_page();
  require_well_formed(page, segment_as(page, "text/html", 1000));
  require_well_formed(page, segment_as(page, "text/html", -5));
}

TEST_CASE("tiny and odd payloads are well formed") {
  const std::string nuls(3000, '\0');
  std::string utf16 = "\xff\xfe";
  for (const char c : std::string("<html><body><p>text</p></body></html>")) (utf16 += c) += '\0';
  for (const std::string& payload :
       {std::string(), std::string("x"), std::string("<"), std::string("\0", 1), nuls, "<p>" + nuls + "</p><p>" + nuls,
        std::string("plain text\nof two lines"), std::string("<p>\xff\xfe\x80\xc0 bad</p>\xf0\x9f"), utf16,
        std::string("<html"), std::string("</"), std::string("<!"), std::string("<!--"), std::string("<?"),
        std::string("<a b"), std::string("<a b='"), std::string("</body></html>"), std::string("<br><br><br>"),
        std::string(" \n\t ")}) {
    for (const char* type : {"text/html", "text/xml", ""}) {
      require_well_formed(payload, segment_as(payload, type));
      require_well_formed(payload, segment_as(payload, type, 1), 1);
    }
  }
}

TEST_CASE("pages in charsets whose markup is not ASCII are one region") {
  std::string utf16;
  for (const char c : div_page()) (utf16 += c) += '\0';
  for (const char* charset : {"utf-16le", "iso-2022-jp"}) {
    const Segmentation segmentation = segment_as(utf16, "text/html", 0, charset);
    require_well_formed(utf16, segmentation);
    CHECK(segmentation.regions.size() == 1);
  }
}

TEST_CASE("pages in other charsets are cut as they are") {
  std::string page = "<html><body>";
  for (int i = 0; i < 100; ++i)
    page += "<p>\xcf\xf0\xe8\xe2\xe5\xf2 \x8f\x5c\x83\x5c " + sentences(static_cast<unsigned>(i), 40) + "</p>\n";
  for (const char* charset : {"windows-1251", "shift_jis", "gbk", "euc-jp", "big5"}) {
    const Segmentation segmentation = segment_as(page, "text/html", 0, charset);
    require_well_formed(page, segmentation);
    CHECK(segmentation.regions.size() > 20);
  }
}

TEST_CASE("the same page always gives the same regions") {
  for (const std::string& page : sample_pages()) {
    const Segmentation first = segment_as(page);
    segment_as(broken_page());
    const Segmentation second = segment_as(page);
    REQUIRE(first.regions.size() == second.regions.size());
    for (std::size_t i = 0; i < first.regions.size(); ++i) {
      CHECK(first.regions[i].begin == second.regions[i].begin);
      CHECK(first.regions[i].end == second.regions[i].end);
      CHECK(first.regions[i].path == second.regions[i].path);
    }
  }
}
