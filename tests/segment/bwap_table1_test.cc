// The functional cases of the paper's Table 1, in its order. The paper reports failure for pages that are mostly text.
#include "segment/bwap.h"
#include "tests/segment/bwap_checks.h"
#include "tests/segment/pages.h"
#include "tests/support/joins_again.h"

using namespace blockarch;

namespace {

const std::vector<std::string> kProfiles = {"2008", "modern"};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::uint64_t bytes_in_blocks(const Segmentation& found) {
  std::uint64_t bytes = 0;
  for (const Region& region : found.regions) bytes += region.level == 1 ? region.end - region.begin : 0;
  return bytes;
}

// Of every way to write a text; 12 paragraphs, with the number in the first words.
std::vector<std::string> text_pages() {
  std::string with_breaks = "<html><body><font size=2>";
  std::string with_p = "<html><body><h1>A long text about something</h1>";
  std::string with_p_in_a_box = "<!DOCTYPE html><html><body><div><article>";
  std::string in_pre = "<html><body><pre>\n";
  std::string with_cells = "<html><body><table><tr><td>";
  for (unsigned i = 0; i < 12; ++i) {
    const std::string text = "Paragraph " + std::to_string(i) + " says " + sentences(i, 60);
    with_breaks += text + "\n<br>\n<br>\n";
    with_p += "<p>" + text + "\n";
    with_p_in_a_box += "<p>" + text + "</p>\n";
    in_pre += text + "\n\n";
    with_cells += "<p>" + text + "</p>\n";
  }
  return {with_breaks + "</font></body></html>", with_p + "</body></html>",
          with_p_in_a_box + "</article></div></body></html>", in_pre + "</pre></body></html>",
          with_cells + "</td></tr></table></body></html>"};
}

}  // namespace

TEST_CASE("Table 1: pages whose layouts change often keep their blocks") {
  const std::string before = example_page(false);
  std::string after = replaced(before, "bgcolor=\"#ffffff\"", "bgcolor=\"#fffff0\"");
  after = replaced(after, "<table width=\"100%\">", "<center>New today</center><table width=\"780\" border=\"0\">");
  const Segmentation first = bwap(before, "2008", 3);
  const Segmentation second = bwap(after, "2008", 3);
  CHECK(encode_layout(split_page(before, first).layout) != encode_layout(split_page(after, second).layout));
  CHECK(new_blocks(before, first, after, second).empty());
  REQUIRE(joins_again(after, second));
}

TEST_CASE("Table 1: a tiny change costs one block") {
  for (const std::string& profile : kProfiles) {
    const std::string before = example_page(false);
    const std::string after = replaced(before, "community number 4", "community number 5");
    const auto fresh = new_blocks(before, bwap(before, profile, 3), after, bwap(after, profile, 3));
    REQUIRE(fresh.size() == 1);
    CHECK(fresh[0].find("community number 5") != std::string::npos);
  }
}

TEST_CASE("Table 1: pages of abnormally complex structure") {
  // Tables in tables, and a list in each.
  std::string page = "<html><body>";
  for (unsigned i = 0; i < 60; ++i) {
    page += "<table><tr><td>Cell <b>" + std::to_string(i) + "</b> " + sentences(i, 5) + "<ul>" +
            repeat("<li>entry <i>of</i> a list", 3) + "</ul></td><td>";
  }
  page += "innermost text of all";
  for (int i = 0; i < 60; ++i) page += "</td></tr></table>";
  for (const std::string& profile : kProfiles) {
    const Segmentation found = bwap(page, profile, kMaxLevel);
    CHECK(found.regions.size() > 40);
    REQUIRE(joins_again(page, found));
  }
}

TEST_CASE("Table 1: pages of abnormally simple structure") {
  for (const std::string& profile : kProfiles) {
    for (const std::string page :
         {"", " ", "x", "<p>x", "<html></html>", "<body>Hello", "<a href=x>x</a>", "<hr>", "<>"}) {
      const Segmentation found = bwap(page, profile, 3);
      REQUIRE(joins_again(page, found));
      CHECK(found.regions.size() == 1);
    }
  }
}

TEST_CASE("Table 1: scripts do not change what the blocks are") {
  const std::string plain = example_page(false);
  std::string page;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size() - 1) + 1;
    page += plain.substr(at, end - at) + "<script>document.write('<td><p>' + " + std::to_string(at) + ");</script>\n";
    at = end;
  }
  for (const std::string& profile : kProfiles) {
    const Segmentation found = bwap(page, profile, 3);
    CHECK(leaf_ids(found) == leaf_ids(bwap(plain, profile, 3)));
    REQUIRE(joins_again(page, found));
  }
}

TEST_CASE("Table 1: pages that are mostly text are cut at their paragraphs") {
  for (const std::string& profile : kProfiles) {
    for (const std::string& page : text_pages()) {
      INFO(profile << ": " << page.substr(0, 60));
      const Segmentation found = bwap(page, profile, 3);
      REQUIRE(joins_again(page, found));
      CHECK(leaf_regions(found).size() >= 12);
      CHECK(bytes_in_blocks(found) > page.size() * 9 / 10);
      // A paragraph that changes is the one block that changes, and so is one that is put in.
      const std::string edited = replaced(page, "Paragraph 7 says", "Paragraph 7 no longer says");
      const auto fresh = new_blocks(page, found, edited, bwap(edited, profile, 3));
      REQUIRE(fresh.size() == 1);
      CHECK(fresh[0].find("Paragraph 7 no longer") != std::string::npos);
      CHECK(fresh[0].find("Paragraph 6") == std::string::npos);
      CHECK(fresh[0].find("Paragraph 8") == std::string::npos);
    }
  }
}

TEST_CASE("Table 1: plain text is cut at its blank lines") {
  std::string text;
  for (unsigned i = 0; i < 12; ++i) text += "Paragraph " + std::to_string(i) + " says\n" + sentences(i, 60) + "\n \n";
  const Segmentation found = (*find_segmenter("bwap"))->segment(text, {"text/plain", "utf-8", 1, {}});
  require_well_formed(text, found, 1);
  REQUIRE(joins_again(text, found));
  CHECK(leaf_regions(found).size() == 12);
}

TEST_CASE("Table 1: pages with many blanks") {
  const std::string plain = example_page(false);
  std::string page;
  for (const char c : plain) {
    page += c;
    if (c == '\n') page += " \t &nbsp;\n\n\xc2\xa0   ";
  }
  page = replaced(page, "<td id=\"CR\"", "<td width=\"10\">&nbsp;</td><td id=\"CR\"");
  for (const std::string& profile : kProfiles) {
    const Segmentation found = bwap(page, profile, 3);
    REQUIRE(joins_again(page, found));
    if (profile == "modern") CHECK(leaf_ids(found) == leaf_ids(bwap(plain, profile, 3)));
  }
  // The empty column is no block, so the column after it is none by rule 10; its boxes are found in its place.
  CHECK(leaf_ids(bwap(page, "2008", 3)) == leaf_ids(bwap(plain, "2008", 3)));
  for (const std::string& profile : kProfiles) {
    const std::string blank =
        "<body>" + repeat("<table><tr><td>&nbsp; &nbsp;</td><td> </td></tr></table><p>&nbsp;</p>\n", 50);
    CHECK(bwap(blank, profile, 3).regions.size() == 1);
  }
}

TEST_CASE("Table 1: fragments of pages") {
  for (const std::string& profile : kProfiles) {
    for (const std::string& page : {example_page(false), div_page()}) {
      for (std::size_t i = 0; i < page.size(); i += 37) {
        const ByteView head = ByteView(page).substr(0, i);
        const ByteView tail = ByteView(page).substr(i);
        REQUIRE(joins_again(head, bwap(head, profile, 3)));
        REQUIRE(joins_again(tail, bwap(tail, profile, 3)));
      }
    }
  }
}

TEST_CASE("Table 1: pages with many images") {
  std::string page = "<body><table>";
  for (int i = 0; i < 40; ++i) {
    page += "<tr>";
    for (int k = 0; k < 5; ++k) {
      const std::string name = std::to_string(i * 5 + k);
      page += "<td id=p" + name + "><a href=/" + name + "><img src=/" + name +
              ".jpg width=120 height=90></a><br>Picture</td>";
    }
    page += "</tr>";
  }
  page += "</table></body>";
  const Segmentation found = bwap(page, "2008", 1);
  CHECK(leaf_regions(found).size() == 200);
  REQUIRE(joins_again(page, found));
}

TEST_CASE("Table 1: a great partition level gives what there is") {
  for (const std::string& profile : kProfiles) {
    const std::string page = example_page(false);
    CHECK(leaf_ids(bwap(page, profile, kMaxLevel)) == leaf_ids(bwap(page, profile, kMaxLevel - 1)));
    REQUIRE(joins_again(page, bwap(page, profile, kMaxLevel)));
  }
}

TEST_CASE("Table 1: a small partition level gives blocks of one level") {
  for (const std::string& profile : kProfiles) {
    for (const Region& region : bwap(example_page(false), profile, 1).regions) CHECK(region.level <= 1);
  }
}

TEST_CASE("Table 1: another partition level finds the same blocks above it") {
  for (const std::string& profile : kProfiles) {
    for (const std::string& page : sample_pages()) {
      for (int level = 1; level < 5; ++level) {
        const auto less = bwap(page, profile, level).regions;
        auto more = bwap(page, profile, level + 1).regions;
        std::erase_if(more, [&](const Region& region) { return region.level > level; });
        REQUIRE(more.size() == less.size());
        for (std::size_t i = 0; i < less.size(); ++i) {
          CHECK(less[i].begin == more[i].begin);
          CHECK(less[i].end == more[i].end);
        }
      }
    }
  }
}

TEST_CASE("Table 1: thousands of pages, each as if it were alone") {
  const std::string page = example_page(false);
  const std::string expected = leaf_ids(bwap(page, "2008", 3));
  for (int i = 0; i < 2000; ++i) {
    const std::string other = "<body><p>Page " + std::to_string(i) + "<style>td { display: none }</style>";
    bwap(other, i % 2 == 0 ? "2008" : "modern", 3);
    if (i % 100 == 0) CHECK(leaf_ids(bwap(page, "2008", 3)) == expected);
  }
}

TEST_CASE("a profile is checked by name") {
  const Segmenter& segmenter = **find_segmenter("bwap");
  CHECK(check_profile(segmenter, "").has_value());
  CHECK(check_profile(segmenter, "modern").has_value());
  CHECK(check_profile(segmenter, "2008").has_value());
  const auto unknown = check_profile(segmenter, "1999");
  REQUIRE(!unknown.has_value());
  CHECK(unknown.error().code == ErrorCode::invalid);
  CHECK(unknown.error().message == "segmenter \"bwap\" has no profile \"1999\"; there are: modern, 2008");
  CHECK(!check_profile(**find_segmenter("whole"), "modern").has_value());
}

TEST_CASE("every segmenter knows its profiles, and those that combine them what may be combined") {
  for (const std::string_view name : segmenter_names()) {
    const Segmenter& segmenter = **find_segmenter(name);
    for (const std::string_view profile : segmenter.profiles()) CHECK(segmenter.takes_profile(profile));
    for (const char* unknown : {"nothing", "modern,nothing", ",", "gamma=x"}) CHECK(!segmenter.takes_profile(unknown));
  }
  CHECK(choose_segmenter("btls", 0, "paper,latin").has_value());
  CHECK(choose_segmenter("btls", 0, "paper,,latin").error().message ==
        "segmenter \"btls\" has no profile \"paper,,latin\"; there are: modern, paper, cjk, syllabic, latin, abjad, "
        "abugida");
  CHECK(choose_segmenter("tagtree", 0, "modern;relative;gamma=0.5").has_value());
  CHECK(choose_segmenter("", 0, "").value()->name() == "auto");
  CHECK(choose_segmenter("", 0, "modern").error().message == "segmenter \"auto\" has no profile \"modern\"");
  CHECK(choose_segmenter("nothing", 0, "").error().code == ErrorCode::not_found);
  CHECK(choose_segmenter("bwap", kMaxLevel + 1, "2008").error().code == ErrorCode::invalid);
  const std::string page = example_page(false);
  CHECK(leaf_ids(bwap(page, "", 2)) == leaf_ids(bwap(page, "modern", 2)));
}

TEST_CASE("charsets whose markup is not ASCII, feeds and pictures are one block") {
  const Segmenter& segmenter = **find_segmenter("bwap");
  const std::string page = example_page(false);
  CHECK(segmenter.segment(page, {"text/html", "utf-16le", 3, {}}).regions.size() == 1);
  CHECK(segmenter.segment("<rss><channel><item>" + page, {"text/xml", "utf-8", 3, {}}).regions.size() == 1);
  CHECK(segmenter.segment(page, {"image/png", "", 3, {}}).regions.size() == 1);
  CHECK(segmenter.segment(page, {"text/html", "windows-1252", 3, {}}).regions.size() > 1);
}
