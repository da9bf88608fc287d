// Input made to break a segmenter: whatever it is, regions are well formed and the work stays linear (a
// quadratic step would make these tests run for hours).
#include <random>

#include "tests/segment/pages.h"

using namespace blockarch;

TEST_CASE("every prefix of a page is well formed") {
  for (const std::string& page : sample_pages()) {
    const ByteView start = ByteView(page).substr(0, 6000);
    for (std::size_t size = 0; size <= start.size(); size += size < 1500 ? 1 : 7) {
      require_well_formed(start.substr(0, size), segment_as(start.substr(0, size)));
    }
  }
}

TEST_CASE("mutated pages are well formed") {
  std::mt19937 random(20240501);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const std::vector<std::string> pages = sample_pages();
  const std::vector<std::string> pieces = {"<div>",    "</div>",
                                           "<table>",  "</td>",
                                           "<",        ">",
                                           "\"",       "'",
                                           "<!--",     "-->",
                                           "<b>",      "</b>",
                                           "<p>",      "</body>",
                                           "</p>",     "<svg>",
                                           "</form>",  "<form>",
                                           "<script>", "<template>",
                                           "<select>", std::string("\0", 1)};
  for (int round = 0; round < 400; ++round) {
    std::string page = pages[below(pages.size())];
    for (std::size_t edit = 0; edit < 1 + below(30); ++edit) {
      const std::size_t at = below(page.size());
      switch (below(4)) {
        case 0:
          page.insert(at, pieces[below(pieces.size())]);
          break;
        case 1:
          page.erase(at, below(50));
          break;
        case 2:
          page[at] = static_cast<char>(random());
          break;
        default:
          page.insert(at, page.substr(below(page.size()), below(400)));
      }
    }
    const int level = static_cast<int>(below(5));
    for (const char* type : {"text/html", "application/xhtml+xml"}) {
      require_well_formed(page, segment_as(page, type, level), level == 0 ? kMaxLevel : level);
    }
  }
}

TEST_CASE("random bytes and random markup are well formed") {
  std::mt19937 random(7);
  constexpr std::string_view kMarkup = "<><>/!-=\"' abpdivtrlx[]?&;\n";
  for (int round = 0; round < 500; ++round) {
    std::string bytes(random() % 3000, '\0');
    for (char& c : bytes) c = round % 2 == 0 ? static_cast<char>(random()) : kMarkup[random() % kMarkup.size()];
    for (const char* type : {"text/html", "text/xml", ""}) require_well_formed(bytes, segment_as(bytes, type));
  }
}

TEST_CASE("nesting of 100,000 elements is well formed") {
  constexpr std::size_t kDepth = 100'000;
  for (const std::string& payload :
       {repeat("<div>", kDepth), repeat("<div>", kDepth) + "x" + repeat("</div>", kDepth), repeat("<p><b>", kDepth),
        repeat("<table><tr><td>", kDepth), repeat("<ul><li>", kDepth), repeat("<svg><title>", kDepth),
        repeat("<template>", kDepth), repeat("<a><div>", kDepth),
        repeat("<span>", kDepth) + repeat("</span>", kDepth)}) {
    require_well_formed(payload, segment_as(payload));
  }
  for (const std::string& payload : {repeat("<a>", kDepth), repeat("<a>", kDepth) + repeat("</a>", kDepth),
                                     repeat("<a>", kDepth) + std::string(kDepth, ' ')}) {
    require_well_formed(payload, segment_as(payload, "text/xml"));
  }
}

TEST_CASE("a million siblings are cut") {
  const std::string payload = repeat("<p>x</p>", 1'000'000);
  const Segmentation segmentation = segment_as(payload);
  require_well_formed(payload, segmentation);
  CHECK(segmentation.regions.size() > 1000);
  const std::string list = "<r>" + repeat("<a>x</a>", 1'000'000) + "</r>";
  require_well_formed(list, segment_as(list, "text/xml"));
}

TEST_CASE("what is quadratic in an HTML parser is linear here") {
  std::string ids;
  std::string names;
  std::string tags;
  for (int i = 0; i < 200'000; ++i) {
    ids += "<b id=" + std::to_string(i) + "><p>";
    names += " a" + std::to_string(i);
    tags += "<x" + std::to_string(i) + ">";
  }
  const std::string many = repeat("<b><i><u><font>", 50);
  for (const std::string& payload :
       {ids, tags, "<div" + names + "><p>x</p></div>", "<body" + names + "><body" + names + ">",
        many + repeat("<p>x", 200'000), many + repeat("<p>x</p>", 100'000), "<select>" + repeat("<option>x", 200'000),
        repeat("</p>", 600'000), "<table>" + repeat("x<br>", 300'000), repeat("<a>x", 200'000),
        repeat("<form></form>", 100'000), repeat("<form><div></form>", 100'000), repeat("<h1><h2>", 100'000),
        std::string(2'000'000, '\0'), std::string(2'000'000, '<'), repeat("&amp", 500'000), repeat("<!", 500'000),
        "<p title='" + std::string(10'000'000, 'x') + "'>y</p>", "<p title=\"" + repeat("&amp;", 1'000'000)}) {
    require_well_formed(payload, segment_as(payload));
  }
}

TEST_CASE("markup larger than the limit is one region") {
  const std::string payload = repeat("<p>a paragraph of a page that is too large</p>\n", 1'500'000);
  REQUIRE(payload.size() > 64u << 20);
  for (const char* type : {"text/html", "text/xml"}) {
    const Segmentation segmentation = segment_as(payload, type);
    require_well_formed(payload, segmentation);
    CHECK(segmentation.regions.size() == 1);
  }
}
