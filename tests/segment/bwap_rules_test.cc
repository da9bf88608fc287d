// One case for each rule of IsBlock that comes out the other way without that rule, and what the rules are asked about.
#include "segment/bwap_rules.h"

#include "segment/bwap.h"
#include "tests/segment/bwap_checks.h"

using namespace blockarch;

namespace {

// As a row of cells.
std::string row(const std::string& cells) {
  return "<body><table><tr>" + cells + "</tr></table></body>";
}

const std::string kBlockCell = "<td id=block>Enough text <b>for a block</b></td>";

std::string blocks_2008(const std::string& page) {
  return ids_at_level(bwap(page, "2008"), 1);
}

// The rule that decides about the element with this id.
int rule_for(const std::string& html, const std::string& id, BwapProfile profile = BwapProfile::paper_2008) {
  const StyledPage page = read_styled_page(html);
  const BwapRules rules(page, profile);
  for (std::uint32_t i = 0; i < page.nodes.size(); ++i) {
    if (page.attribute(page.nodes[i], "id") == id) return rules.deciding_rule(i);
  }
  return 0;
}

}  // namespace

TEST_CASE("rule 1: a node whose children are all of size 0 is no block") {
  const std::string page = row("<td id=x width=200 height=100><a name=a></a><a name=b></a></td>");
  CHECK(blocks_2008(page) == "");
  CHECK(rule_for(page, "x") == 1);
  CHECK(blocks_2008(row("<td id=x width=200 height=100><a name=a>a</a><a name=b></a></td>")) == "x ");
  CHECK(rule_for(row("<td id=x width=200 height=100></td>"), "x") == 1);
}

TEST_CASE("rule 2: a Function node is no block") {
  const std::string page =
      "<p id=block>Enough text <b>for a block</b></p><form id=x>Enough text <b>for a block</b></form>";
  CHECK(blocks_2008(page) == "block ");
  CHECK(rule_for(page, "x") == 2);
}

TEST_CASE("rule 3: a Format node is no block") {
  const std::string page =
      "<p id=block>Enough text <b>for a block</b></p><div id=x>Enough text <b>for a block</b></div>";
  CHECK(blocks_2008(page) == "block ");
  CHECK(rule_for(page, "x") == 3);
}

TEST_CASE("rule 4: a node with one child is no block") {
  const std::string page = row("<td id=x>Enough text for a block</td>");
  CHECK(blocks_2008(page) == "");
  CHECK(rule_for(page, "x") == 4);
}

TEST_CASE("rule 5: a node below the least size of its tag is no block") {
  const std::string page = row("<td id=x>1 <b>2</b></td>");
  CHECK(blocks_2008(page) == "");
  CHECK(rule_for(page, "x") == 5);
  CHECK(blocks_2008(row("<td id=x width=90 height=90>1 <b>2</b></td>")) == "x ");
  CHECK(blocks_2008(row("<td id=x style='font-size:60px'>1 <b>2</b></td>")) == "x ");
  CHECK(blocks_2008(row("<td id=x>1 <img src=i width=80 height=80></td>")) == "x ");
}

TEST_CASE("rule 6: a node of another colour than a child is no block") {
  const std::string text = "Enough text <span style='background-color: #00f'>for a block</span></td>";
  const std::string page = row("<td id=x bgcolor=red>" + text);
  CHECK(blocks_2008(page) == "");
  CHECK(rule_for(page, "x") == 6);
  CHECK(blocks_2008(row("<td id=x bgcolor=blue>" + text)) == "x ");
}

TEST_CASE("rule 7: a Schema node without Format or Function children is no block") {
  const std::string page = row(kBlockCell + "<td id=x><p>Text of a block</p><p>Text of a block</p></td>");
  CHECK(blocks_2008(page) == "block ");
  CHECK(rule_for(page, "x") == 7);
  const std::string of_blocks =
      row("<td id=x><p id=y>Enough text <b>for a block</b></p><p id=z>Enough text <b>too</b></p></td>");
  CHECK(blocks_2008(of_blocks) == "y z ");
}

TEST_CASE("rule 8: a Schema node with only Format or Function children is a block") {
  const std::string page = row(kBlockCell);
  CHECK(blocks_2008(page) == "block ");
  CHECK(rule_for(page, "block") == 8);
}

TEST_CASE("rule 9: a Schema node whose Schema children are blocks by rule 8 or 9 is a block") {
  const std::string paragraph = "<p>Enough text <b>for a block</b></p>";
  const std::string list = "<ul>Some <li>Enough text <b>for a block</b></li></ul>";
  const std::string page = row("<td id=x><i>Text</i>" + paragraph + list + "</td>");
  CHECK(blocks_2008(page) == "x ");
  CHECK(rule_for(page, "x") == 9);
}

TEST_CASE("rule 10: a node after a block is a block") {
  const std::string unfit = "<td id=x><i>Text of a cell</i><p>Only one child</p></td>";
  CHECK(blocks_2008(row(kBlockCell + unfit)) == "block x ");
  CHECK(rule_for(row(kBlockCell + unfit), "x") == 10);
  CHECK(blocks_2008(row(kBlockCell + unfit + unfit)) == "block x x ");
}

TEST_CASE("rule 11: anything else is no block") {
  const std::string unfit = "<td id=x><i>Text of a cell</i><p>Only one child</p></td>";
  CHECK(blocks_2008(row(unfit + kBlockCell)) == "block ");
  CHECK(rule_for(row(unfit + kBlockCell), "x") == 11);
}

TEST_CASE("the tags of the layout are no blocks") {
  const std::string page = "<body id=x>Enough text <b>for a block</b></body>";
  CHECK(blocks_2008(page) == "");
  CHECK(rule_for(page, "x") == 11);
}

TEST_CASE("what is not displayed is no child") {
  CHECK(blocks_2008(row("<td id=x>Enough text for a block<script>var a</script><b style='display:none'>x</b></td>")) ==
        "");
  CHECK(blocks_2008(row("<td id=x style='display:none'>Enough text <b>for a block</b></td>")) == "");
}

TEST_CASE("a block deeper than MaxDepth is not found") {
  const std::string page = "<body><div><div>" + row(kBlockCell) + "</div></div></body>";
  const SegmentOptions options{"text/html", "utf-8", 1, "2008"};
  // body, div, div, table, tr, td
  CHECK(ids_at_level(bwap_with_max_depth(page, options, 6), 1) == "block ");
  CHECK(ids_at_level(bwap_with_max_depth(page, options, 5), 1) == "");
}

TEST_CASE("MaxDepth is counted anew in each round") {
  const std::string page = example_page(false);
  const SegmentOptions options{"text/html", "utf-8", 3, "2008"};
  // html, body, p; then table, tr, td; then table, tr, td
  CHECK(leaf_ids(bwap_with_max_depth(page, options, 3)) == leaf_ids(bwap(page, "2008", 3)));
}

TEST_CASE("in the modern profile the class follows what an element does") {
  const StyledPage page = read_styled_page(
      "<style>.box { display: block } .row { display: flex } section.text { display: inline }"
      "body { font-size: 400px } #j { font-size: 16px }</style><body>"
      "<div id=a><p>text</p></div><div id=b>only <i>text</i></div><span id=c><span class=box>x</span></span>"
      "<section class=text id=d>x</section><a id=e>x</a><a id=f><div>x</div></a><form id=g><p>x</p><input></form>"
      "<x-card id=h><b class=row>x</b></x-card><img id=i src=x><div id=j><p>small</p></div>");
  const BwapRules rules(page, BwapProfile::modern);
  std::string classes;
  for (std::uint32_t i = 0; i < page.nodes.size(); ++i) {
    const ByteView id = page.attribute(page.nodes[i], "id");
    if (id.empty()) continue;
    const NodeClass found = rules.class_of(i);
    classes += std::string(id) + (found == NodeClass::schema ? "S " : found == NodeClass::format ? "F " : "f ");
  }
  CHECK(classes == "aS bF cS dF ef fS gS hS if jF ");
}

TEST_CASE("in the modern profile a box around a single box stands for it") {
  const std::string list = "<ul><li>First entry of the list</li><li>Second entry of the list</li></ul>";
  const std::string page =
      "<body style='font-size:60px'><div id=x><p>A title of the box</p><nav><div>" + list + "</div></nav></div></body>";
  CHECK(rule_for(page, "x", BwapProfile::modern) == 9);
}

TEST_CASE("in the modern profile the content between header and footer is a block though it holds only boxes") {
  const std::string boxes = "<p>Text of a box, first line</p><p>Text of a box, second line</p>";
  const std::string body = "<body style='font-size:60px'>";
  const std::string page = body + "<div id=head>" + boxes + "</div><div id=x><div id=a>" + boxes + "</div><div id=b>" +
                           boxes + "</div></div><div id=foot>" + boxes + "</div>";
  CHECK(rule_for(page, "x", BwapProfile::modern) == 10);
  const Segmentation found = bwap(page, "modern", 2);
  CHECK(ids_at_level(found, 1) == "head x foot ");
  CHECK(ids_at_level(found, 2) == "a b ");
  const std::string alone = body + "<div id=x><div id=a>" + boxes + "</div><div id=b>" + boxes + "</div></div>";
  CHECK(rule_for(alone, "x", BwapProfile::modern) == 7);
  CHECK(ids_at_level(bwap(alone, "modern", 1), 1) == "a b ");
}
