#include "segment/describe.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "segment/auto.h"
#include "tests/segment/pages.h"

namespace blockarch {
namespace {

std::vector<DescribedBlock> described(ByteView page, const std::string& type = "text/html", int level = 0) {
  DescribeOptions options;
  options.page.media_type = type;
  options.page.charset = "utf-8";
  options.page.level = level;
  return describe_page(page, auto_segmenter(), options);
}

// The label of the smallest block around a text, or of the given text's own range.
std::string label_at(const std::string& page, const std::string& text) {
  const std::size_t at = page.find(text);
  REQUIRE(at != std::string::npos);
  Segmentation one{{{0, page.size(), kNoParent, 0, {}}, {at, at + text.size(), 0, 1, {}}}};
  DescribeOptions options;
  options.page.media_type = "text/html";
  options.page.charset = "utf-8";
  return std::string(label_name(describe_regions(page, one, options)[1].label));
}

void require_nested(const std::vector<DescribedBlock>& blocks, std::size_t size) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    REQUIRE(blocks[i].begin <= blocks[i].end);
    REQUIRE(blocks[i].end <= size);
    if (blocks[i].parent == kNoParent) {
      REQUIRE(blocks[i].level == 1);
      continue;
    }
    REQUIRE(blocks[i].parent < i);
    const DescribedBlock& parent = blocks[blocks[i].parent];
    REQUIRE(parent.begin <= blocks[i].begin);
    REQUIRE(blocks[i].end <= parent.end);
    REQUIRE(blocks[i].level == parent.level + 1);
  }
}

bool has_label(const std::vector<DescribedBlock>& blocks, BlockLabel label) {
  return std::any_of(blocks.begin(), blocks.end(), [&](const DescribedBlock& b) { return b.label == label; });
}

// An article with everything that stands around one.
struct Parts {
  std::string header = "<header class=\"site-header\"><a href=/><img src=l.png alt=Logo> Harbour News</a></header>";
  std::string nav =
      "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Boats</a></li><li><a href=/c>Winds</a></li>"
      "<li><a href=/d>Tides</a></li></ul></nav>";
  std::string search = "<form action=/s><label>Search the site</label><input name=q><button>Go</button></form>";
  std::string ad = "<div class=\"ad-banner advertisement\"><p>Buy three sails and pay for two only today</p></div>";
  std::string related =
      "<aside class=\"related\"><h3>Related</h3><ul><li><a href=/1>Nine boats lost their way in fog</a>"
      "</li><li><a href=/2>A lighthouse was sold for one pound</a></li><li><a href=/3>More rain than "
      "ever in the north</a></li></ul></aside>";
  std::string comments =
      "<div id=comments><div class=comment><p>I saw it too.</p></div><div class=comment><p>Me "
      "too.</p></div></div>";
  std::string footer = "<footer><p>&copy; 2024 Harbour News. All rights reserved.</p></footer>";

  std::string page() const {
    std::string text = "<!DOCTYPE html><html><head><title>x</title><style>" + repeat("p { margin: 0 } ", 100) +
                       "</style></head><body>" + header + nav + search + ad + "<main><article><h1>The old harbour</h1>";
    for (unsigned i = 0; i < 12; ++i) {
      text +=
          "<p>The boats, which had been away for weeks, came back in the morning; nobody had expected them, number " +
          std::to_string(i) + ". People stood on the pier, and some of them waved, as they always did.</p>";
    }
    return text + "</article></main>" + related + comments + "<script>" + repeat("call(1);", 300) + "</script>" +
           "<script type=\"application/json\">" + repeat("[1,2],", 300) + "</script>" + footer + "</body></html>";
  }
};

TEST_CASE("every label is found where it belongs") {
  const Parts parts;
  const std::string page = parts.page();
  CHECK(label_at(page, parts.header) == "identity");
  CHECK(label_at(page, parts.nav) == "navigation");
  CHECK(label_at(page, parts.search) == "interaction");
  CHECK(label_at(page, parts.ad) == "ad");
  CHECK(label_at(page, parts.related) == "related");
  CHECK(label_at(page, parts.comments) == "comments");
  CHECK(label_at(page, parts.footer) == "copyright");
  CHECK(label_at(page,
                 "<p>The boats, which had been away for weeks, came back in the morning; nobody had expected them, "
                 "number 5. People stood on the pier, and some of them waved, as they always did.</p>") == "main");
  const auto blocks = described(page);
  require_nested(blocks, page.size());
  for (const BlockLabel label : {BlockLabel::main, BlockLabel::script, BlockLabel::style, BlockLabel::data}) {
    INFO(label_name(label));
    CHECK(has_label(blocks, label));
  }
}

TEST_CASE("main content leaves out what stands around it") {
  const Parts parts;
  const std::string page = parts.page();
  for (const DescribedBlock& block : described(page)) {
    if (block.label != BlockLabel::main) continue;
    const ByteView bytes = ByteView(page).substr(block.begin, block.end - block.begin);
    CHECK(bytes.find("Search the site") == ByteView::npos);
    CHECK(bytes.find("All rights reserved") == ByteView::npos);
    CHECK(bytes.find("Nine boats lost") == ByteView::npos);
  }
}

TEST_CASE("pages of every kind have blocks, main content and topics") {
  for (const std::string& page : {div_page(), table_page()}) {
    INFO(page.substr(0, 80));
    const auto blocks = described(page);
    require_nested(blocks, page.size());
    CHECK(blocks.size() > 3);
    CHECK(has_label(blocks, BlockLabel::main));
    CHECK(std::any_of(blocks.begin(), blocks.end(), [](const DescribedBlock& b) { return !b.topic.empty(); }));
  }
}

TEST_CASE("a single-page application shows its state as data") {
  const std::string page = "<!DOCTYPE html><html><body><div id=root></div><script id=s type=application/json>{\"a\":[" +
                           repeat("{\"b\":1},", 400) + "0]}</script><script>" + repeat("boot();", 400) +
                           "</script></body></html>";
  const auto blocks = described(page);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].label == BlockLabel::data);
  CHECK(blocks[1].label == BlockLabel::script);
  CHECK(blocks[0].topic.empty());
}

TEST_CASE("text in pre is main content") {
  std::string page = "<html><body><pre>\nRELEASE NOTES\n";
  for (int i = 0; i < 60; ++i) page += "This line says, once more, that nothing has changed, and it ends here.\n";
  page += "</pre></body></html>";
  const auto blocks = described(page);
  CHECK(has_label(blocks, BlockLabel::main));
}

TEST_CASE("the entries of a feed are its main content, each with its title") {
  std::string feed = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News</title>";
  for (int i = 0; i < 5; ++i) {
    feed += "<item><title>Entry " + std::to_string(i) + "</title><description>" +
            sentences(static_cast<unsigned>(i), 40) + "</description></item>";
  }
  feed += "</channel></rss>";
  const auto blocks = described(feed, "application/rss+xml");
  const auto entry = std::find_if(blocks.begin(), blocks.end(), [](const auto& b) { return b.topic == "Entry 3"; });
  REQUIRE(entry != blocks.end());
  CHECK(entry->label == BlockLabel::main);
}

TEST_CASE("what is no markup is one block with a label by its type") {
  CHECK(described("{\"a\": 1}", "application/json")[0].label == BlockLabel::data);
  CHECK(described("p { margin: 0 }", "text/css")[0].label == BlockLabel::style);
  CHECK(described("Some words", "text/plain")[0].label == BlockLabel::main);
  CHECK(described("\x89PNG", "image/png")[0].label == BlockLabel::none);
  CHECK(described("").size() == 1);
}

TEST_CASE("a level bounds the depth and keeps the blocks above it") {
  const std::string page = Parts().page();
  const auto deep = described(page);
  const auto flat = described(page, "text/html", 1);
  CHECK(flat.size() < deep.size());
  std::size_t top = 0;
  for (const DescribedBlock& block : deep) top += block.level == 1 ? 1 : 0;
  CHECK(flat.size() == top);
}

TEST_CASE("an inserted paragraph changes its stored block and no other, and no other topic") {
  const std::string before = div_page();
  std::string after = before;
  const std::size_t at = before.find("</article>\n", before.find("id=\"a3\""));
  after.insert(at, "<p>A paragraph that was not there, of a length that is usual for one.</p>\n");
  const auto contents = [](const std::string& page) {
    std::vector<std::string> leaves;
    for (const Region& region : leaf_regions(segment_as(page))) {
      leaves.push_back(page.substr(region.begin, region.end - region.begin));
    }
    std::sort(leaves.begin(), leaves.end());
    return leaves;
  };
  const auto old_leaves = contents(before);
  const auto new_leaves = contents(after);
  std::vector<std::string> fresh;
  std::set_difference(new_leaves.begin(), new_leaves.end(), old_leaves.begin(), old_leaves.end(),
                      std::back_inserter(fresh));
  CHECK(fresh.size() <= 2);
  CHECK(fresh.size() >= 1);
  // The same content has the same topic in both pages.
  for (const DescribedBlock& a : described(before)) {
    for (const DescribedBlock& b : described(after)) {
      if (before.substr(a.begin, a.end - a.begin) == after.substr(b.begin, b.end - b.begin)) {
        REQUIRE(a.topic == b.topic);
      }
    }
  }
}

TEST_CASE("regions of any segmenter are described, one for one") {
  const std::string page = div_page();
  const Segmentation stored = segment_as(page);
  DescribeOptions options;
  options.page.media_type = "text/html";
  options.page.charset = "utf-8";
  const auto blocks = describe_regions(page, stored, options);
  REQUIRE(blocks.size() == stored.regions.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CHECK(blocks[i].begin == stored.regions[i].begin);
    CHECK(blocks[i].path == stored.regions[i].path);
  }
  CHECK(std::any_of(blocks.begin(), blocks.end(), [](const auto& b) { return b.label == BlockLabel::main; }));
}

TEST_CASE("the region that a segmenter names is the main content, and nothing else is") {
  const std::string page = div_page();
  Segmentation cut = segment_as(page);
  DescribeOptions options;
  options.page.media_type = "text/html";
  options.page.charset = "utf-8";
  const auto guessed = describe_regions(page, cut, options);
  // A leaf with words that the model does not take for main content.
  const auto named = static_cast<std::uint32_t>(
      std::find_if(guessed.begin() + 1, guessed.end(),
                   [](const auto& b) { return b.label == BlockLabel::navigation && !b.topic.empty(); }) -
      guessed.begin());
  REQUIRE(named < guessed.size());
  cut.main = named;
  const auto blocks = describe_regions(page, cut, options);
  CHECK(blocks[named].label == BlockLabel::main);
  for (const DescribedBlock& block : blocks) {
    const bool inside = block.begin >= blocks[named].begin && block.end <= blocks[named].end;
    if (!inside) CHECK(block.label != BlockLabel::main);
  }
}

TEST_CASE("hostile pages are described in the memory and time of their size") {
  const std::string wide = "<html><body>" + repeat("<p>x", 200'000);
  require_nested(described(wide), wide.size());
  const std::string deep = repeat("<div>word ", 100'000);
  require_nested(described(deep), deep.size());
  const std::string text(5'000'000, 'a');
  require_nested(described(text), text.size());
  const std::string attribute = "<div class=\"" + std::string(5'000'000, 'b') + "\">one two</div>";
  require_nested(described(attribute), attribute.size());
}

}  // namespace
}  // namespace blockarch
