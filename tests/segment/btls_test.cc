#include "segment/btls.h"

#include <catch2/catch_approx.hpp>

#include "segment/btls_blocks.h"
#include "segment/btls_tree.h"
#include "segment/tag_scanner.h"
#include "tests/segment/pages.h"

using namespace blockarch;

namespace {

Segmentation btls(ByteView page, const std::string& profile = {}, int level = 0, const std::string& charset = "utf-8") {
  const Segmentation segmentation = btls_segmenter().segment(page, {"text/html", charset, level, profile});
  require_well_formed(page, segmentation, level == 0 ? kMaxLevel : level);
  return segmentation;
}

// Lines of the given lengths; 0 is a line without text.
TextLines lines_of(const std::vector<std::uint32_t>& lengths) {
  TextLines text;
  for (const std::uint32_t length : lengths) {
    if (length > 0) {
      TextLine line;
      line.number = text.count;
      line.length = length;
      text.lines.push_back(line);
    }
    ++text.count;
  }
  return text;
}

TextBlock block_of(std::uint32_t at, std::uint32_t length, std::uint32_t depth, bool title = false) {
  return {at, at, length, depth, false, title};
}

std::vector<TextBlock> single_lines(const std::vector<std::uint32_t>& lengths) {
  std::vector<TextBlock> blocks;
  for (const std::uint32_t length : lengths) blocks.push_back(block_of(std::uint32_t(blocks.size()), length, 3));
  return blocks;
}

std::vector<std::string> line_texts(ByteView page, const TextLines& text) {
  std::vector<std::string> texts;
  for (const TextLine& line : text.lines) {
    std::string kept;
    for (const char c : page.substr(line.begin, line.end - line.begin)) {
      if (c != '\n') kept += c;
    }
    texts.push_back(kept);
  }
  return texts;
}

std::vector<std::uint32_t> depths(const TextLines& text) {
  std::vector<std::uint32_t> all;
  for (const TextLine& line : text.lines) all.push_back(line.depth);
  return all;
}

// The paper's figure 7.
constexpr std::string_view kFigure7 =
    "<div id=\"panel_Category\" class=\"panel\">\n<ul class=\"panel_head\">\n<span>\n文章分类\n</span>\n</ul>\n"
    "<ul class=\"panel_body\">\n";

}  // namespace

TEST_CASE("the paper's title has the line-block distribution 0 4 4 4 0") {
  const TextLines text = source_lines(kFigure7, "utf-8");
  REQUIRE(text.lines.size() == 1);
  CHECK(text.lines[0].length == 4);
  CHECK(text.lines[0].number == 3);
  CHECK(text.lines[0].depth == 3);
  CHECK(text.script == Script::han);
  CHECK(line_block_lengths(text, 3) == std::vector<std::uint32_t>{0, 4, 4, 4, 0, 0, 0, 0});
  const auto blocks = find_blocks(text, 3);
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].is_single_line());
  CHECK(blocks[0].depth == 3);
}

TEST_CASE("a line block is the text of three lines") {
  CHECK(line_block_lengths(lines_of({0, 5, 0, 0, 0, 7, 2, 0}), 3) ==
        std::vector<std::uint32_t>{5, 5, 0, 7, 9, 9, 2, 0});
}

TEST_CASE("blocks lie between line blocks of length 0") {
  // Two empty lines between texts leave no line block empty, three do.
  const auto blocks = find_blocks(lines_of({4, 0, 0, 6, 0, 0, 0, 9, 1}), 3);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].length == 10);
  CHECK_FALSE(blocks[0].is_single_line());
  CHECK(blocks[1].length == 10);
  CHECK(find_blocks(lines_of({4, 0, 0, 6}), 2).size() == 2);
  CHECK(find_blocks(lines_of({0, 0}), 3).empty());
}

TEST_CASE("blocks are the same whether found by lines or by the distribution") {
  std::uint32_t seed = 5;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> lengths;
    for (int i = 0; i < 40; ++i) {
      seed = seed * 1664525 + 1013904223;
      lengths.push_back((seed >> 20) % 4 == 0 ? 1 + (seed >> 8) % 9 : 0);
    }
    const TextLines text = lines_of(lengths);
    const auto distribution = line_block_lengths(text, 3);
    std::size_t runs = 0;
    for (std::size_t i = 0; i < distribution.size(); ++i) {
      if (distribution[i] > 0 && (i == 0 || distribution[i - 1] == 0)) ++runs;
    }
    CHECK(find_blocks(text, 3).size() == runs);
  }
}

TEST_CASE("the length of titles is learnt from candidates and headings") {
  BtlsConstants constants;
  constants.weight = 0.3;
  constants.tolerance = 2;
  auto blocks = single_lines({4, 4, 6, 4, 6, 40});
  const auto without = learn_title_length(blocks, constants);
  REQUIRE(without);
  CHECK(without->candidates == 4);
  CHECK_FALSE(without->headings);
  CHECK(without->expected == 4);
  CHECK(without->least == 2);
  CHECK(without->most == 6);

  blocks[2].heading = blocks[4].heading = true;  // both of 6
  blocks.push_back(block_of(6, 9, 3));
  blocks.back().heading = true;
  const auto with = learn_title_length(blocks, constants);
  REQUIRE(with);
  CHECK(with->candidates == 4);
  CHECK(with->headings == 7);
  CHECK(with->expected == Catch::Approx(0.3 * 4 + 0.7 * 7));
  CHECK(with->least == Catch::Approx(4.1));
  CHECK(with->most == Catch::Approx(8.1));
}

TEST_CASE("the window of title lengths stays between 0 and the longest title") {
  BtlsConstants constants;
  constants.tolerance = 3;
  CHECK(learn_title_length(single_lines({2, 2}), constants)->least == 0);
  CHECK(learn_title_length(single_lines({8, 8}), constants)->most == 9);
  CHECK_FALSE(learn_title_length(single_lines({10, 11}), constants));
}

TEST_CASE("titles are headings, candidates in the window, and short blocks near one") {
  BtlsConstants constants;  // C 9, delta 2, M 12
  auto blocks = single_lines({4, 4, 7, 12, 100, 13, 100, 100, 10});
  blocks[6].heading = true;  // too long to be a title
  mark_titles(blocks, constants);
  std::vector<bool> titles;
  for (const TextBlock& block : blocks) titles.push_back(block.title);
  // 7 is outside 2…6 but at most M and near; 12 is at most M; 13 is not; 10 is more than three blocks away.
  CHECK(titles == std::vector<bool>{true, true, true, true, false, false, false, false, false});
}

TEST_CASE("a title that is near one of M makes no further titles") {
  BtlsConstants constants;
  auto blocks = single_lines({4, 100, 100, 11, 11, 11, 11});
  mark_titles(blocks, constants);
  CHECK(blocks[3].title);
  CHECK_FALSE(blocks[4].title);
  CHECK_FALSE(blocks[6].title);
}

TEST_CASE("a content block goes on until a title that is shallower than what stands before it") {
  const std::vector<TextBlock> blocks = {
      block_of(0, 50, 4),      block_of(1, 50, 4),  // before any title
      block_of(2, 4, 5, true), block_of(3, 90, 6),  // a title and its body
      block_of(4, 4, 6, true), block_of(5, 90, 7),  // a title as deep as the body before it: the same content
      block_of(6, 4, 5, true), block_of(7, 90, 6),  // shallower: a new one
  };
  CHECK(content_blocks(blocks) == std::vector<std::uint32_t>{0, 2, 6});
}

TEST_CASE("content blocks of nothing but titles are one") {
  const std::vector<TextBlock> blocks = {
      block_of(0, 4, 9, true), block_of(1, 4, 8, true), block_of(2, 4, 7, true),
      block_of(3, 4, 6, true), block_of(4, 90, 7),      block_of(5, 4, 5, true),
  };
  CHECK(content_blocks(blocks) == std::vector<std::uint32_t>{0, 3, 5});
  CHECK(content_blocks({}).empty());
}

TEST_CASE("lengths are scaled by script") {
  CHECK(constants_for(Script::han).longest_title == 9);
  CHECK(constants_for(Script::alphabet).longest_title == 27);
  CHECK(constants_for(Script::alphabet).tolerance == 6);
  CHECK(constants_for(Script::syllabic).short_block == 18);
  CHECK(constants_for(Script::alphabet).weight == constants_for(Script::han).weight);
}

TEST_CASE("characters are counted in any charset") {
  CHECK(TextCounter("utf-8").count(" 文章\t分类\n") == 4);
  CHECK(TextCounter("gbk").count("\xCE\xC4\xD5\xC2\xA1\xA1 a") == 3);
  CHECK(TextCounter("windows-1252").count("caf\xE9\xA0!") == 5);
  CHECK(TextCounter("utf-8").count("a&nbsp;&amp;&#x4e2d;&x") == 5);
  CHECK(TextCounter("utf-8").count("\xE6\x96") == 1);
}

TEST_CASE("the script is that of most of the text") {
  const auto script = [](ByteView text, std::string_view charset = "utf-8") {
    TextCounter counter(charset);
    counter.count(text);
    return counter.script();
  };
  CHECK(script("重庆教育学院 Web Page 2008") == Script::han);
  CHECK(script("ページの区画を探す方法") == Script::syllabic);
  CHECK(script("웹 페이지") == Script::syllabic);
  CHECK(script("Как разделить страницу") == Script::alphabet);
  CHECK(script("תקציב המדינה") == Script::abjad);
  CHECK(script("\xF9\xEC\xE5\xED", "windows-1255") == Script::abjad);
  CHECK(script("&#20013;&#25991;") == Script::han);
  CHECK(script("123") == Script::alphabet);
}

TEST_CASE("a tag over several lines is one line and scripts have none") {
  const std::string page = "<p\n class=a\n>one</p>\n<script>\nif (a < b) {\n}\n</script>\n<p>two</p>\n";
  const TextLines text = source_lines(page, "utf-8");
  CHECK(line_texts(page, text) == std::vector<std::string>{"one", "two"});
  CHECK(text.lines[0].number == 0);
  CHECK(text.lines[1].number == 2);
}

TEST_CASE("the depth of a line is counted from tags as in the paper") {
  const std::string page = "<div>\n<p>\ntext\n</p>\n<img src=a>\n<br/>\n</div>\nout\n";
  CHECK(depths(source_lines(page, "utf-8")) == std::vector<std::uint32_t>{2, 0});
}

TEST_CASE("a minified page has the lines of the page it was made from") {
  const std::string laid_out =
      "<div>\n<div>\n<span>News today</span>\n</div>\n</div>\n<ul>\n<li>\nfirst entry\n</li>\n<li>\nsecond entry\n"
      "</li>\n</ul>\n";
  std::string minified;
  for (const char c : laid_out) {
    if (c != '\n') minified += c;
  }
  const TextLines a = source_lines(laid_out, "utf-8");
  const TextLines b = source_lines(minified, "utf-8");
  CHECK(line_texts(minified, b) == line_texts(laid_out, a));
  CHECK(find_blocks(a, 3).size() == 2);
  CHECK(find_blocks(b, 3).size() == 2);
}

TEST_CASE("a heading is a block by itself") {
  const std::string page = "<p>before</p><h2>A\n<b>title</b>\nhere</h2><p>after</p>";
  const TextLines text = source_lines(page, "utf-8");
  const auto blocks = find_blocks(text, 3);
  REQUIRE(blocks.size() == 3);
  CHECK_FALSE(blocks[0].heading);
  CHECK(blocks[1].heading);
  CHECK(blocks[1].is_single_line());
  CHECK(blocks[1].length == 10);
}

TEST_CASE("the profile paper cuts a page of panels at their titles") {
  std::string page = "<html><body>\n<div class=main>\n";
  for (const char* title : {"文章分类", "最新文章", "友情链接"}) {
    page += "<div class=panel>\n<div>\n<div>\n<span>\n" + std::string(title) +
            "\n</span>\n</div>\n</div>\n<div>\n<div>\n<div>\n<p>\n" + repeat("这是一段比较长的正文内容没有标题", 3) +
            "\n</p>\n</div>\n</div>\n</div>\n</div>\n";
  }
  page += "</div>\n</body></html>\n";
  const auto parts = leaf_bytes(page, btls(page, "paper"));
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].find("文章分类") != std::string::npos);
  CHECK(parts[1].starts_with("\n<div class=panel>"));
  CHECK(parts[1].find("最新文章") != std::string::npos);
  CHECK(parts[1].find("友情链接") == std::string::npos);
  // Level 2 are the title and the body of each.
  CHECK(leaf_regions(btls(page, "paper", 2)).size() == 6);
  // Of another script the same titles are far too short.
  CHECK(btls(page, "paper,latin").regions.size() == btls(page, "latin,paper").regions.size());
}

TEST_CASE("lines of any layout are what stands between the tags of blocks") {
  const std::string page =
      "<body><div><h1>One <b>title</b></h1><ul><li>a<li>b</ul><p>c<p>d</div><noscript>no</noscript><svg><text>s</svg>e";
  const TextLines text = normal_lines(page, "utf-8");
  CHECK(line_texts(page, text) == std::vector<std::string>{"One <b>title", "a", "b", "c", "d", "<svg><text>s</svg>e"});
  CHECK(depths(text) == std::vector<std::uint32_t>{3, 4, 4, 3, 3, 1});
  CHECK(text.lines[0].heading == 1);
  CHECK(text.lines[1].heading == 0);
  CHECK(text.lines[5].picture);
}

TEST_CASE("end tags that close nothing change no depth") {
  const std::string page = "<div><table><tr><td>a</div></span></p>b</td></tr></table>c</div>d";
  CHECK(depths(normal_lines(page, "utf-8")) == std::vector<std::uint32_t>{4, 4, 1, 0});
}

TEST_CASE("lines form a tree by the depth between them") {
  const std::string page = "<div><p>a</p><p>b</p></div><div><ul><li>c</li><li>d</li></ul><p>e</p></div>";
  const TextLines text = normal_lines(page, "utf-8");
  const auto nodes = line_tree(text.lines);
  const LineNode& root = nodes.back();
  CHECK(root.first == 0);
  CHECK(root.last == 4);
  const LineNode& one = nodes[root.first_child];
  CHECK((one.first == 0 && one.last == 1));
  const LineNode& two = nodes[one.next_sibling];
  CHECK((two.first == 2 && two.last == 4));
  CHECK(two.next_sibling == kNoNode);
  const LineNode& list = nodes[two.first_child];
  CHECK((list.first == 2 && list.last == 3));
  CHECK(line_tree({}).empty());
}

TEST_CASE("a title keeps what follows it until one of its rank") {
  std::string page = "<body><main>";
  for (const char* name : {"North", "South", "West"}) {
    page += "<h2>" + std::string(name) + "</h2><p>" + sentences(1, 60) + "</p><h3>More of " + name + "</h3><p>" +
            sentences(2, 60) + "</p>";
  }
  const auto parts = leaf_bytes(page, btls(page + "</main></body>", {}, 1));
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].starts_with("<main><h2>North"));
  CHECK(parts[0].find("More of North") != std::string::npos);
  CHECK(parts[1].starts_with("<h2>South"));
  CHECK(parts[2].find("More of West") != std::string::npos);
}

TEST_CASE("a page of today is cut at its parts, however its source is laid out") {
  const std::string page = div_page();
  std::string minified;
  for (const char c : page) {
    if (c != '\n') minified += c;
  }
  const auto regions = btls(page).regions;
  CHECK(regions.size() > 5);
  CHECK(btls(minified).regions.size() == regions.size());
}

TEST_CASE("btls leaves what is no markup in one piece") {
  CHECK(btls_segmenter().segment("\x89PNG\r\n", {"image/png", "", 0, {}}).regions.size() == 1);
  CHECK(btls("").regions.size() == 1);
  CHECK(btls(sentences(1, 3000)).regions.size() == 1);
  CHECK(btls_segmenter().segment(std::string("<\0p\0>\0a\0", 8), {"text/html", "utf-16le", 0, {}}).regions.size() == 1);
}

TEST_CASE("pages made to break btls are well formed in every profile") {
  for (const std::string& page : sample_pages()) {
    for (std::size_t size = 0; size < page.size(); size += size < 600 ? 7 : 211) {
      for (const char* profile : {"", "paper"}) btls(ByteView(page).substr(0, size), profile, size % 3 == 0 ? 2 : 0);
    }
  }
}

TEST_CASE("btls is linear in the size of the page") {
  constexpr std::size_t kDepth = 100'000;
  const std::string text = "a text that is long enough to be one";
  for (const std::string& page :
       {repeat("<div>" + text, kDepth), repeat("<div>x", kDepth) + repeat("</div>y", kDepth),
        repeat("<div>", kDepth) + "x" + repeat("</div>", kDepth), repeat("<p>x</p>", 1'000'000),
        repeat("<h2>x</h2><p>" + text, 100'000), repeat("<td><ul>", kDepth) + repeat("</div>", kDepth),
        "<div><td>" + repeat("<ul>", kDepth) + repeat("</div>", kDepth), std::string(5'000'000, 'x'),
        repeat("x\n", 2'000'000), repeat("<", 2'000'000), repeat("<a b='", 300'000), repeat("<!--", 500'000),
        repeat("<script>", 300'000), repeat("</", 1'000'000), repeat("<h1>", 300'000), repeat("<svg>", 300'000),
        "<p title='" + std::string(10'000'000, 'x') + "'>y</p>", repeat("<table><tr><td>", kDepth)}) {
    for (const char* profile : {"", "paper"}) btls(page, profile);
  }
}
