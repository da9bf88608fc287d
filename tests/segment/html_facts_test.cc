#include "segment/html_facts.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("a page's title is read as browsers show it") {
  CHECK(html_facts("<title>Harbour</title><p>x", "utf-8").title == "Harbour");
  CHECK(html_facts("<head><title>\n  Tea &amp; <b>cake\t\n</title>", "utf-8").title == "Tea & <b>cake");
  CHECK(html_facts("<p>x<title>late</title>", "utf-8").title == "late");
  CHECK(html_facts("<title>first</title><title>second</title>", "utf-8").title == "first");
  CHECK(html_facts("<title>nobody closed it", "utf-8").title == "nobody closed it");
  CHECK(html_facts("<svg><title>icon</title></svg><title>page</title>", "utf-8").title == "page");
  CHECK(html_facts("<script>'<title>no</title>'</script><!-- <title>no</title> -->", "utf-8").title.empty());
  CHECK(html_facts("", "utf-8").title.empty());
}

TEST_CASE("titles come out as UTF-8 from any charset") {
  CHECK(html_facts("<title>H\xE4"
                   "fen</title>",
                   "windows-1252")
            .title == "Häfen");
  const std::string utf16("<\0t\0i\0t\0l\0e\0>\0\xE4\0<\0/\0t\0i\0t\0l\0e\0>\0", 32);
  CHECK(html_facts(utf16, "utf-16le").title == "ä");
}

TEST_CASE("a long title is cut between characters") {
  std::string page = "<title>x";
  for (int i = 0; i < 2000; ++i) page += "ä";
  const std::string title = html_facts(page + "</title>", "utf-8").title;
  CHECK(title.size() == kMaxTitle - 1);
  CHECK(title.ends_with("ä"));
}

TEST_CASE("a title that is spread over pieces of input is whole") {
  const std::string page = "<!--" + std::string((16 << 10) - 20, 'x') + "--><title>one two three four</title>";
  CHECK(html_facts(page, "utf-8").title == "one two three four");
}

TEST_CASE("the language is that of the html element, where it is a language") {
  CHECK(html_facts("<!doctype html><html lang='de-CH'><title>x</title>", "utf-8").language == "de-CH");
  CHECK(html_facts("<html xml:lang=fr>", "utf-8").language == "fr");
  CHECK(html_facts("<html lang=' en '>", "utf-8").language == "en");
  CHECK(html_facts("<html><body lang=de>", "utf-8").language.empty());
  CHECK(html_facts("<html lang='not a language'>", "utf-8").language.empty());
  CHECK(html_facts("<html lang='" + std::string(36, 'a') + "'>", "utf-8").language.empty());
}

TEST_CASE("made-up names and attributes without end are survived") {
  std::string page;
  for (int i = 0; i < 60'000; ++i) page += "<x" + std::to_string(i) + " y" + std::to_string(i) + ">";
  CHECK(html_facts(page, "utf-8").title.empty());
  std::string tag = "<a";
  for (int i = 0; i < 100'000; ++i) tag += " a";
  CHECK(html_facts(tag + "><title>x</title>", "utf-8").title == "x");
}
