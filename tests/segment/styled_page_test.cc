#include "segment/styled_page.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace blockarch;

namespace {

// The first node whose source begins with `source`.
const StyledNode& find(const StyledPage& page, std::string_view source) {
  for (const StyledNode& node : page.nodes) {
    if (node.tag != kDocumentTag && page.text(node).starts_with(source)) return node;
  }
  FAIL("no node begins with " << source);
  return page.nodes[0];
}

const ComputedStyle& style_of(const StyledPage& page, std::string_view source) {
  return page.style(find(page, source));
}

void require_nested(const StyledPage& page) {
  const auto& nodes = page.nodes;
  REQUIRE(!nodes.empty());
  REQUIRE(nodes[0].subtree_end == nodes.size());
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    const StyledNode& node = nodes[i];
    const StyledNode& parent = nodes[node.parent];
    REQUIRE(node.parent < i);
    REQUIRE(node.subtree_end > i);
    REQUIRE(node.subtree_end <= parent.subtree_end);
    REQUIRE(node.begin >= parent.inner_begin);
    REQUIRE(node.end <= parent.inner_end);
    REQUIRE(node.begin < node.end);
    REQUIRE(node.begin <= node.inner_begin);
    REQUIRE(node.inner_begin <= node.inner_end);
    REQUIRE(node.inner_end <= node.end);
    if (node.subtree_end < parent.subtree_end) REQUIRE(nodes[node.subtree_end].begin >= node.end);
  }
}

}  // namespace

TEST_CASE("a styled page lists elements and texts in pre-order with their ranges") {
  const std::string html = "<body><div id=a>one <b>two</b> <!-- no --> three</div>\n<p>four</body>";
  const StyledPage page = read_styled_page(html);
  require_nested(page);
  std::string names;
  for (const StyledNode& node : page.nodes) names += page.name(node) + " ";
  CHECK(names == " body div#a #text b #text #text p #text ");
  CHECK(page.text(find(page, "<b>")) == "<b>two</b>");
  CHECK(page.text(find(page, "three")) == "three");
  CHECK(page.attribute(find(page, "<div"), "id") == "a");
}

TEST_CASE("white space in any spelling is no text, and scripts hold none") {
  const StyledPage page =
      read_styled_page("<td>&nbsp; \xc2\xa0\n</td><script>var x = '<p>text</p>';</script><xmp><b>x</xmp>");
  require_nested(page);
  std::string texts;
  for (const StyledNode& node : page.nodes) {
    if (StyledPage::is_text(node)) texts += page.text(node);
  }
  CHECK(texts == "<b>x");
}

TEST_CASE("implied tags leave no node") {
  const StyledPage page = read_styled_page("<table><tr><td>x</table>");
  require_nested(page);
  std::string names;
  for (const StyledNode& node : page.nodes) names += page.name(node) + " ";
  CHECK(names == " table tr td #text ");
  CHECK(style_of(page, "<tr").display == Display::row);
  CHECK(style_of(page, "<td").display == Display::cell);
}

TEST_CASE("style comes from attributes, the page's style sheets and style attributes, in the cascade's order") {
  const StyledPage page = read_styled_page(R"(<style>
      div { color: #f00; width: 50% } .wide { width: 300px } #main { width: 10em; font-size: 20px }
      nav > a { display: block } ul li .x { font-weight: bold } p { color: red !important }
      @media screen { h1 { display: none } } @media print { h2 { display: none } } a:hover { display: none }
      span { background: url(x.png) #eee; float: left } [role=note] { visibility: hidden }
    </style>
    <div class="wide">1</div> <div id=main class='a wide'><i>2</i></div> <div style="width:7px;color:blue">3</div>
    <nav><a>4</a><b><a href=x>5</a></b></nav> <ul><li><em><u class=x>6</u></em></ul> <p style="color:blue">7</p>
    <h1>8</h1><h2>9</h2><span>10</span><td bgcolor=navy><img src=i.png width=90 height="30"><font size=5 color=green>11</font>
    <em role=note>12</em>)");
  require_nested(page);
  CHECK(style_of(page, "<div class=\"wide").width == 300);
  CHECK(style_of(page, "<div class=\"wide").color == 0xffff0000);
  CHECK(style_of(page, "<div id=main").width == 200);
  CHECK(style_of(page, "<i>2").font_size == 20);
  CHECK(style_of(page, "<i>2").width == -1);
  CHECK(style_of(page, "<div style").width == 7);
  CHECK(style_of(page, "<div style").color == 0xff0000ff);
  CHECK(style_of(page, "<a>4").display == Display::block);
  CHECK(style_of(page, "<a href=x>5").display == Display::inline_level);
  CHECK(style_of(page, "<u class=x>6").bold);
  CHECK(!style_of(page, "<em><u").bold);
  CHECK(style_of(page, "<p style").color == 0xffff0000);
  CHECK(style_of(page, "<h1>").display == Display::none);
  CHECK(style_of(page, "<h2>").display == Display::block);
  CHECK(style_of(page, "<span>").background == 0xffeeeeee);
  CHECK(style_of(page, "<span>").flow == Flow::floating);
  CHECK(style_of(page, "<img").width == 90);
  CHECK(style_of(page, "<img").height == 30);
  CHECK(style_of(page, "<font").font_size == 24);
  CHECK(style_of(page, "11").color == 0xff008000);
  CHECK(style_of(page, "<em role").hidden);
}

TEST_CASE("a background is seen through what has none of its own") {
  const StyledPage page =
      read_styled_page("<table bgcolor='#336699'><tr><td>a<td style='background-color:white'><b>b</b></table>");
  CHECK(style_of(page, "<td>a").background == 0xff336699);
  CHECK(style_of(page, "<b>").background == kWhite);
}

TEST_CASE("a selector backs off from an ancestor that only seemed right") {
  const StyledPage page = read_styled_page(
      "<style>main > .a .b { display: flex } .c > .d { display: grid }</style>"
      "<main><div class=a><div><div class=a><p class=b>1</p></div></div></div></main><div class=c><div><p "
      "class=d>2</p></div></div>");
  CHECK(style_of(page, "<p class=b").display == Display::flex);
  CHECK(style_of(page, "<p class=d").display == Display::block);
}

TEST_CASE("a page of style rules that all match stops costing at some point") {
  std::string html = "<style>";
  for (int i = 0; i < 5000; ++i) html += "*{color:#00" + std::to_string(1000 + i % 9000) + "}";
  html += "</style>";
  for (int i = 0; i < 20000; ++i) html += "<i>x</i>";
  const StyledPage page = read_styled_page(html);
  require_nested(page);
  CHECK(page.style(page.nodes.back()).color == kBlack);
}

TEST_CASE("broken style sheets leave the rules that can be read") {
  for (const std::string css :
       {"", "}", "{{{{", "p{", "p{color:", "@media", "@media{", "a{}}}p[", "p{color:hsl(", "/*", "\"",
        "p{color:rgb(1e99,-5,nan)}", "p{width:1e99px;font-size:-3em}", "p:not(:not(p)){color:red}"}) {
    const std::string html = "<style>" + css + "</style><p style='" + css + "'>x";
    const StyledPage page = read_styled_page(html);
    require_nested(page);
    CHECK(style_of(page, "x").font_size >= 0);
  }
}

TEST_CASE("a style attribute with a declaration without value comes to an end") {
  for (const char* css : {"width:;x;height:5px", "width: ; @ 2;height:5px", "width:!important;5;height:5px",
                          "width:/**/;);height:5px", "background:url(a;b);height:5px", "height:5px;width:(;x"}) {
    const std::string html = "<p style=\"" + std::string(css) + "\">x</p>";
    const StyledPage page = read_styled_page(html);
    REQUIRE(page.nodes.size() == 3);
    INFO(css);
    CHECK(page.style(page.nodes[1]).height == 5);
    CHECK(page.style(page.nodes[1]).width < 0);
  }
}

TEST_CASE("texts are measured as a reader counts them") {
  CHECK(visible_length("") == 0);
  CHECK(visible_length("a  b\n\tc ") == 6);
  CHECK(visible_length("&eacute;t\xc3\xa9") == 3);
  CHECK(visible_length("\xe4\xb8\xad\xe6\x96\x87") == 2);
}
