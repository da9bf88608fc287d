// Input made to break bwap: regions are well formed and the work stays linear (a quadratic step would make these tests run
// for hours).
#include <random>

#include "tests/segment/bwap_checks.h"
#include "tests/segment/pages.h"

using namespace blockarch;

namespace {

void require_sound(const std::string& page) {
  for (const char* profile : {"2008", "modern"}) bwap(page, profile, kMaxLevel);
}

}  // namespace

TEST_CASE("bwap takes a hundred thousand nested elements") {
  require_sound(repeat("<div>", 100'000) + "x" + repeat("</div>", 100'000));
  require_sound(repeat("<table><tr><td>a <b>b</b>", 100'000));
  require_sound(repeat("<b>x", 100'000));
  require_sound(repeat("<div><b>", 100'000));
}

TEST_CASE("bwap takes a million siblings") {
  require_sound("<body>" + repeat("<p>x</p>", 1'000'000));
  require_sound("<table><tr>" + repeat("<td>a <b>cell</b> of a table</td>", 100'000));
}

TEST_CASE("bwap takes a page of nothing but text") {
  require_sound(repeat("word ", 1'000'000));
  require_sound("<pre>" + repeat("A line of text that is just about long enough.\n\n", 100'000));
  require_sound("<body>" + repeat("A line of text that is just about long enough.<br><br>", 100'000));
  require_sound("<body>" + repeat("\n", 2'000'000));
}

TEST_CASE("bwap takes attributes of ten megabytes") {
  const std::string paragraphs = repeat("<p>Text <b>of a</b> paragraph.</p>", 1000);
  require_sound("<div class=\"" + repeat("a ", 5'000'000) + "\">" + paragraphs + "</div>");
  require_sound("<div style=\"" + repeat("color:red;", 1'000'000) + "\">" + paragraphs + "</div>");
  require_sound("<div " + repeat("a=b ", 2'500'000) + ">" + paragraphs + "</div>");
  require_sound("<div id=\"" + std::string(10'000'000, 'x') + "\">" + paragraphs + "</div>");
}

TEST_CASE("bwap takes style sheets that multiply") {
  const std::string elements = repeat("<div class=\"a b c d\">x</div>", 20'000);
  require_sound("<style>" + repeat(".a .b .c .d{color:red}", 40'000) + "</style>" + elements);
  require_sound("<style>" + repeat("* * * * *{color:red}", 40'000) + "</style>" + repeat("<div>", 200) + elements);
  require_sound("<style>" + repeat("[class~=d]{color:red}", 40'000) + "</style>" + elements);
  require_sound("<style>" + repeat("a{", 200'000) + "</style>" + elements);
  require_sound("<style>" + repeat("(", 500'000) + "</style>" + elements);
  require_sound(repeat("<style>p{color:red}</style>", 50'000));
}

TEST_CASE("bwap takes everything unclosed") {
  std::mt19937 random(3);
  const std::vector<std::string> pieces = {"<b>",  "<td>",   "<p>",  "<table>", "<div>", "<a>",   "<ul><li>", "<form>",
                                           "<h1>", "text ",  "<tr>", "<font>",  "<svg>", "<pre>", "<dl><dt>", "<br>",
                                           "<hr>", "<img x", "<!--", "<style>", "'",     "\"",    ">",        "&nbsp"};
  for (int round = 0; round < 300; ++round) {
    std::string page;
    for (std::size_t i = random() % 400; i > 0; --i) page += pieces[random() % pieces.size()];
    require_sound(page);
  }
  std::string page;
  for (int i = 0; i < 300'000; ++i) page += pieces[random() % 17];
  require_sound(page);
}

TEST_CASE("bwap takes mutated pages") {
  std::mt19937 random(11);
  std::vector<std::string> pages = sample_pages();
  pages.push_back(example_page(false));
  for (int round = 0; round < 300; ++round) {
    std::string page = pages[random() % pages.size()];
    for (std::size_t edit = 1 + random() % 20; edit > 0; --edit) {
      const std::size_t at = random() % page.size();
      if (random() % 2 == 0) {
        page.erase(at, random() % 60);
      } else {
        page.insert(at, page.substr(random() % page.size(), random() % 200));
      }
      if (page.empty()) page = "x";
    }
    require_sound(page);
  }
}
