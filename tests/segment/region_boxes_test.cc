#include "segment/region_boxes.h"

#include <catch2/catch_approx.hpp>

#include "segment/main_region.h"
#include "tests/segment/pages.h"

using namespace blockarch;

namespace {

struct Laid {
  std::string html;
  StyledPage page;
  RegionBoxes regions;

  explicit Laid(std::string source, TagTreeProfile profile = TagTreeProfile::paper)
      : html(std::move(source)), page(read_styled_page(html)), regions(compute_boxes(page, profile)) {}
  Laid(const Laid&) = delete;
  Laid& operator=(const Laid&) = delete;

  const RegionBox& by_id(const std::string& id) const {
    for (const RegionBox& box : regions.boxes) {
      if (!box.is_virtual && box.node != 0 && page.attribute(page.nodes[box.node], "id") == id) return box;
    }
    FAIL("no box " << id);
    return regions.boxes[0];
  }
  std::vector<const RegionBox*> virtuals() const {
    std::vector<const RegionBox*> found;
    for (const RegionBox& box : regions.boxes) {
      if (box.is_virtual) found.push_back(&box);
    }
    return found;
  }
};

// left, right, top, bottom: the paper's order.
std::vector<float> sides(const RegionBox& box) {
  return {box.left, box.right(), box.top, box.bottom()};
}

using Sides = std::vector<float>;

// The paper's figure 3 and table 3. Its text gives td(6) 234 pixels, its table 244; here it is 244.
constexpr const char* kFigure3 =
    "<body><table id=table1 width=800>"
    "<tr><td id=td1 width=800 height=35></td></tr><tr><td id=td2 width=800></td></tr><tr><td id=td3 width=800 "
    "height=25></td></tr>"
    "</table><table id=table2 width=800><tr><td id=td4 colspan=2 width=556 height=304>"
    "<table id=table4 width=556><tr><td id=td9 width=556 height=157></td></tr></table>"
    "<table id=table5 height=25><tr><td id=td10 width=556 height=350></td></tr></table></td>"
    "<td id=td6 width=244></td></tr></table>"
    "<table id=table3 width=800><tr><td id=td7 width=800 height=50></td></tr></table></body>";

}  // namespace

TEST_CASE("the paper's cell is as high as its texts, paragraphs and picture") {
  // Three texts of one line of 12, 25 for each paragraph with text, a picture of 46.
  const Laid laid(
      "<table><tr><td id=cell width=538><p>若以稍长期的眼光来看,</p><p>一、大牛市行情的先决条件</p>"
      "<img width=125 height=46 src=a.gif><p></p><p>1、宏观经济持续向好自1999年起。</p></td></tr></table>");
  CHECK(laid.by_id("cell").width == 538);
  CHECK(laid.by_id("cell").height == 157);
}

TEST_CASE("text is broken over as many lines as it needs") {
  // 45 characters of 12 pixels on 538: two lines.
  const Laid laid("<table><tr><td id=a width=538>" + repeat("字", 45) + "</td></tr></table>");
  CHECK(laid.by_id("a").height == 24);
}

TEST_CASE("a region is as large as declared or as its content, whichever is larger") {
  const Laid laid(
      "<table id=t width=300 height=10><tr><td id=a width=100 height=90><img width=400 height=20></td>"
      "<td id=b width=50><img width=20 height=30></td></tr></table>");
  CHECK(laid.by_id("a").width == 400);
  CHECK(laid.by_id("a").height == 90);
  CHECK(laid.by_id("b").width == 50);
  CHECK(laid.by_id("b").height == 90);  // cells of a row are equally high
  CHECK(laid.by_id("t").width == 450);
  CHECK(laid.by_id("t").height == 90);
}

TEST_CASE("the paper's page stands where its table 3 says") {
  const Laid laid(kFigure3);
  CHECK(sides(laid.by_id("table1")) == Sides{0, 800, 0, 60});
  CHECK(sides(laid.by_id("table2")) == Sides{0, 800, 60, 567});
  CHECK(sides(laid.by_id("table3")) == Sides{0, 800, 567, 617});
  CHECK(sides(laid.by_id("table4")) == Sides{0, 556, 60, 217});
  CHECK(sides(laid.by_id("table5")) == Sides{0, 556, 217, 567});
  CHECK(sides(laid.by_id("td1")) == Sides{0, 800, 0, 35});
  CHECK(sides(laid.by_id("td2")) == Sides{0, 800, 35, 35});
  CHECK(sides(laid.by_id("td3")) == Sides{0, 800, 35, 60});
  CHECK(sides(laid.by_id("td4")) == Sides{0, 556, 60, 567});
  CHECK(sides(laid.by_id("td6")) == Sides{556, 800, 60, 567});
  CHECK(sides(laid.by_id("td7")) == Sides{0, 800, 567, 617});
  CHECK(sides(laid.by_id("td9")) == Sides{0, 556, 60, 217});
  CHECK(sides(laid.by_id("td10")) == Sides{0, 556, 217, 567});
  // td(5), which colspan put there.
  REQUIRE(laid.virtuals().size() == 1);
  CHECK(sides(*laid.virtuals()[0]) == Sides{556, 556, 60, 567});
}

TEST_CASE("the paper's main region is found by its point and size") {
  const Laid laid(kFigure3);
  TagTreeParameters parameters{400, 200, 0.5, 0.5, 300, false};
  CHECK(region_size(laid.by_id("td9"), parameters) == Catch::Approx(356.5));
  const auto path = find_main_path(laid.regions, parameters);
  REQUIRE(path.size() == 5);
  CHECK(&laid.regions.boxes[path[1]] == &laid.by_id("table2"));
  CHECK(&laid.regions.boxes[path[2]] == &laid.by_id("td4"));
  CHECK(&laid.regions.boxes[path[3]] == &laid.by_id("table4"));
  CHECK(&laid.regions.boxes[path[4]] == &laid.by_id("td9"));

  // Smaller than theta: one step back, which is not the row.
  parameters.theta = 357;
  CHECK(&laid.regions.boxes[find_main_region(laid.regions, parameters)] == &laid.by_id("td4"));
  parameters.theta = 2000;
  CHECK(find_main_region(laid.regions, parameters) == 0);
  // On a border is in neither.
  parameters = {400, 60, 0.5, 0.5, 0, false};
  CHECK(find_main_region(laid.regions, parameters) == 0);
  parameters = {0.5, 100.0 / 617, 0.5, 0.5, 0, true};
  CHECK(&laid.regions.boxes[find_main_region(laid.regions, parameters)] == &laid.by_id("td9"));
}

TEST_CASE("text beside tables becomes a region") {
  const Laid laid(
      "<table><tr><td id=cell>some text<br><img width=120 height=120><table id=inner "
      "width=400><tr><td>x</td></tr></table>"
      "after it</td></tr></table>");
  const auto found = laid.virtuals();
  REQUIRE(found.size() == 2);
  CHECK(found[0]->width == 120);
  CHECK(found[0]->height == 132);
  CHECK(found[0]->bottom() == laid.by_id("inner").top);
  CHECK(laid.html.substr(found[1]->begin, found[1]->end - found[1]->begin) == "after it");
  CHECK(found[1]->top == laid.by_id("inner").bottom());
  CHECK(laid.by_id("cell").bottom() == found[1]->bottom());
}

TEST_CASE("rowspan and colspan leave empty regions in the columns they take") {
  const Laid laid(
      "<table><tr><td colspan=2 width=390>both</td></tr><tr><td rowspan=3 width=273>left</td><td width=111>a</td></tr>"
      "<tr id=second><td id=b width=111>b</td></tr><tr><td id=c "
      "width=111>c</td></tr></table><table><tr><td>x</td></tr></table>");
  const auto found = laid.virtuals();
  REQUIRE(found.size() == 3);
  CHECK(found[0]->left == 390);
  for (const RegionBox* box : found) {
    CHECK(box->width == 0);
    CHECK(box->begin == box->end);
  }
  // The empty region comes before the cell that stands in the second column.
  CHECK(found[1] < &laid.by_id("b"));
  CHECK(found[1]->parent == laid.by_id("b").parent);
  CHECK(found[2]->parent == laid.by_id("c").parent);
}

TEST_CASE("spans without end cost no more than the page") {
  const Laid laid("<table>" + repeat("<tr><td colspan=1000 rowspan=1000>", 2000) + "</table>");
  CHECK(laid.regions.boxes.size() < 20'000);
}

TEST_CASE("every box that lays out is a region of the modern profile") {
  const Laid laid(
      "<body><header id=h>top</header><div id=row style='display:flex'><nav id=n style='width:200px'>menu</nav>"
      "<main id=m style='width:600px'><p id=p1>" +
          repeat("word ", 100) +
          "</p><p id=p2>two</p></main></div><footer id=f style='height:80px'>end</footer></body>",
      TagTreeProfile::modern);
  CHECK(laid.by_id("h").left == 0);
  CHECK(laid.by_id("h").width == kViewportWidth);
  CHECK(laid.by_id("row").top == laid.by_id("h").bottom());
  CHECK(laid.by_id("n").left == 0);
  CHECK(laid.by_id("m").left == 200);
  CHECK(laid.by_id("m").top == laid.by_id("n").top);
  CHECK(laid.by_id("p2").top == laid.by_id("p1").bottom());
  CHECK(laid.by_id("p1").height > laid.by_id("p2").height);
  CHECK(laid.by_id("f").height == 80);
  CHECK(laid.by_id("f").top == laid.by_id("row").bottom());
}

TEST_CASE("floats stand side by side as long as there is room") {
  const Laid laid(
      "<body><div id=a style='float:left;width:500px;height:50px'></div><div id=b "
      "style='float:left;width:500px;height:80px'>"
      "</div><div id=c style='float:left;width:500px;height:10px'></div><div id=d>text</div></body>",
      TagTreeProfile::modern);
  CHECK(laid.by_id("b").left == 500);
  CHECK(laid.by_id("b").top == 0);
  CHECK(laid.by_id("c").left == 0);
  CHECK(laid.by_id("c").top == 80);
  CHECK(laid.by_id("d").top == 90);
}

TEST_CASE("what is not displayed is no region") {
  const Laid laid("<body><div style='display:none'>" + repeat("x", 500) + "</div><div id=a>y</div></body>",
                  TagTreeProfile::modern);
  CHECK(laid.by_id("a").top == 0);
  CHECK(laid.regions.boxes[0].text == 1);
}

TEST_CASE("boxes lie in pre-order and inside their parents' bytes") {
  for (const std::string& source : sample_pages()) {
    for (const TagTreeProfile profile : {TagTreeProfile::paper, TagTreeProfile::modern}) {
      const Laid laid(source, profile);
      const auto& boxes = laid.regions.boxes;
      std::uint32_t end = 0;
      for (std::uint32_t i = 1; i < boxes.size(); ++i) {
        REQUIRE(boxes[i].parent < i);
        REQUIRE(boxes[i].subtree_end <= boxes[boxes[i].parent].subtree_end);
        REQUIRE(boxes[i].begin >= boxes[boxes[i].parent].begin);
        REQUIRE(boxes[i].end <= boxes[boxes[i].parent].end);
        if (boxes[i].subtree_end == i + 1) {
          REQUIRE(boxes[i].begin >= end);
          end = boxes[i].end;
        }
      }
    }
  }
}

TEST_CASE("the pattern is the way to a region and leads there again") {
  const Laid laid(kFigure3);
  const auto box = static_cast<std::uint32_t>(&laid.by_id("td9") - laid.regions.boxes.data());
  const std::string pattern = pattern_of(laid.page, laid.regions, box);
  CHECK(pattern == "table#table2>td#td4>table#table4>td#td9");
  CHECK(match_pattern(laid.page, laid.regions, pattern) == box);
  CHECK(match_pattern(laid.page, laid.regions, "") == 0u);
  for (const char* wrong : {"table#none", "table#table2>td#td9", "table[", "table[0]", "table[2", ">", "td[x]"}) {
    CHECK_FALSE(match_pattern(laid.page, laid.regions, wrong));
  }
}

TEST_CASE("steps of a pattern go by class and place where there is no id") {
  const Laid laid(
      "<body><div class='box wide'>a</div><div class=box><p>b</p><p>c</p></div><div id=post-20231>d</div></body>",
      TagTreeProfile::modern);
  std::vector<std::string> patterns;
  for (std::uint32_t i = 1; i < laid.regions.boxes.size(); ++i) {
    patterns.push_back(pattern_of(laid.page, laid.regions, i));
    CHECK(match_pattern(laid.page, laid.regions, patterns.back()) == i);
  }
  CHECK(patterns == std::vector<std::string>{"body[1]", "body[1]>div.box[1]", "body[1]>div.box[2]",
                                             "body[1]>div.box[2]>p[1]", "body[1]>div.box[2]>p[2]", "body[1]>div[1]"});
}

TEST_CASE("a pattern holds on a page with something more around it") {
  const Laid model("<body><div id=shell><div class=story><p>a</p><p>b</p></div></div></body>", TagTreeProfile::modern);
  const auto story = static_cast<std::uint32_t>(model.regions.boxes.size() - 3);
  const std::string pattern = pattern_of(model.page, model.regions, story);
  REQUIRE(pattern == "body[1]>div#shell>div.story[1]");
  const Laid wrapped(
      "<body><div class=ad>x</div><div class=wrap><div id=shell><div class=story>y</div></div></div></body>",
      TagTreeProfile::modern);
  const auto found = match_pattern(wrapped.page, wrapped.regions, pattern);
  REQUIRE(found);
  CHECK(wrapped.html.substr(wrapped.regions.boxes[*found].begin, 17) == "<div class=story>");
  const Laid twice("<body><main><div class=story>y</div><div class=story>z</div></main></body>",
                   TagTreeProfile::modern);
  CHECK_FALSE(match_pattern(twice.page, twice.regions, pattern));
}

TEST_CASE("a model is one line and comes back from it") {
  TagTreeModel model{TagTreeProfile::paper, {400, 200.5, 0.25, 0.75, 300, false}, "table[2]>td[1]"};
  const std::string text = encode_model(model);
  CHECK(text == "paper;pixels;gamma=400;lambda=200.5;alpha=0.25;beta=0.75;theta=300;pattern=table[2]>td[1]");
  CHECK(decode_model(text).value() == model);
  CHECK(decode_model("").value() == TagTreeModel());
  CHECK(decode_model("paper").value().profile == TagTreeProfile::paper);
  for (const char* wrong :
       {"nonesuch", "gamma=", "gamma=x", "gamma=-1", "gamma=nan", "theta=1e999", "delta=1", "gamma=1;;"}) {
    INFO(wrong);
    CHECK_FALSE(decode_model(wrong).has_value());
  }
}
