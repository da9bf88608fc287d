#include "segment/tagtree.h"

#include <algorithm>

#include "segment/tagtree_train.h"
#include "tests/segment/pages.h"

using namespace blockarch;

namespace {

Segmentation tagtree(ByteView page, const std::string& profile = {}, int level = 0) {
  const Segmentation segmentation = tagtree_segmenter().segment(page, {"text/html", "utf-8", level, profile});
  require_well_formed(page, segmentation, level == 0 ? kMaxLevel : level);
  return segmentation;
}

// An article of a made-up site: head, menu and column of links are the same on all its pages.
std::string article(unsigned number, bool tables, std::string* main = nullptr) {
  std::string text;
  for (unsigned i = 0; i < 4 + number % 3; ++i) text += "<p>" + sentences(1000 * number + i, 60) + "</p>";
  if (main) {
    *main = text;
    for (const char* tag : {"<p>", "</p>"}) {
      for (std::size_t at = main->find(tag); at != std::string::npos; at = main->find(tag))
        main->replace(at, std::string(tag).size(), " ");
    }
  }
  std::string menu;
  for (int i = 0; i < 12; ++i) menu += "<a href=/s" + std::to_string(i) + ">Section " + std::to_string(i) + "</a><br>";
  const std::string related = "<a href=/r" + std::to_string(number) + ">" + sentences(number, 8) + "</a>";
  if (tables) {
    return "<body><table width=800><tr><td height=60>The Daily Example</td></tr></table><table width=800><tr><td "
           "width=150>" +
           menu + "</td><td width=500><table width=500><tr><td>" + text +
           "</td></tr></table><table width=500><tr><td>" + related + "</td></tr></table></td><td width=150>" +
           sentences(7, 80) + "</td></tr></table><table width=800><tr><td>" + sentences(8, 30) +
           "</td></tr></table></body>";
  }
  return "<body><header>The Daily Example</header><nav>" + menu + "</nav><div class=page><div class=story>" + text +
         "</div><div class=more>" + related + "</div></div><aside>" + sentences(7, 80) + "</aside><footer>" +
         sentences(8, 30) + "</footer></body>";
}

struct Site {
  std::vector<std::string> pages;
  std::vector<TrainingPage> samples;

  Site(bool tables, bool told, unsigned count = 6) {
    pages.reserve(count);
    for (unsigned i = 0; i < count; ++i) {
      std::string main;
      pages.push_back(article(i + 1, tables, &main));
      samples.push_back({pages.back(), "utf-8", told ? std::optional(main) : std::nullopt});
    }
  }
};

// The bytes that the model takes for the main content of another page of the site.
std::string main_of(const std::string& html, const TagTreeModel& model) {
  const StyledPage page = read_styled_page(html);
  const RegionBoxes regions = compute_boxes(page, model.profile);
  const RegionBox& box = regions.boxes[main_region_of(page, regions, model)];
  return html.substr(box.begin, box.end - box.begin);
}

}  // namespace

TEST_CASE("training finds the main region of a site from its texts") {
  for (const bool tables : {true, false}) {
    const TagTreeProfile profile = tables ? TagTreeProfile::paper : TagTreeProfile::modern;
    const Site site(tables, true);
    const auto learnt = train_tagtree(site.samples, profile);
    REQUIRE(learnt.has_value());
    CHECK(learnt->score > 0.99);
    CHECK(learnt->by_point > 0.99);  // the five parameters alone find it
    CHECK(learnt->matched == 6);
    const std::string other = article(77, tables);
    const std::string found = main_of(other, learnt->model);
    CHECK(found.find(sentences(77'000, 60)) != std::string::npos);
    CHECK(found.find("Section 3") == std::string::npos);
    CHECK(found.find("/r77") == std::string::npos);

    TagTreeModel by_point = learnt->model;
    by_point.pattern.clear();
    CHECK(main_of(other, by_point) == found);
  }
}

TEST_CASE("training without texts takes what only one page says") {
  for (const bool tables : {true, false}) {
    const Site site(tables, false);
    const auto learnt = train_tagtree(site.samples, tables ? TagTreeProfile::paper : TagTreeProfile::modern);
    REQUIRE(learnt.has_value());
    CHECK(learnt->matched == 6);
    const std::string found = main_of(article(78, tables), learnt->model);
    CHECK(found.find(sentences(78'000, 60)) != std::string::npos);
    CHECK(found.find("Section 3") == std::string::npos);
  }
}

TEST_CASE("training gives the same every time and says where there is nothing to learn") {
  const Site site(false, false);
  CHECK(train_tagtree(site.samples, TagTreeProfile::modern)->model ==
        train_tagtree(site.samples, TagTreeProfile::modern)->model);
  CHECK(train_tagtree({}, TagTreeProfile::modern).error().code == ErrorCode::invalid);
  const std::vector<TrainingPage> empty = {{"", "utf-8", std::nullopt}, {"<p></p>", "utf-8", std::nullopt}};
  CHECK(train_tagtree(empty, TagTreeProfile::modern).error().code == ErrorCode::invalid);
  const std::vector<TrainingPage> one = {{site.pages[0], "utf-8", std::nullopt}};
  CHECK(train_tagtree(one, TagTreeProfile::modern).has_value());
}

TEST_CASE("the pattern counts more than the point, which counts where the pattern leads nowhere") {
  const std::string page = article(5, false);
  TagTreeModel model;
  model.parameters.theta = 0;
  model.pattern = "body[1]>div.page[1]>div.more[1]";
  CHECK(main_of(page, model).starts_with("<div class=more>"));
  const std::string by_pattern = main_of(page, model);
  model.pattern = "body[1]>div.gone[1]";
  CHECK(main_of(page, model) != by_pattern);
}

TEST_CASE("the main region is a region of its own") {
  const std::string html = article(5, false);
  const StyledPage page = read_styled_page(html);
  const RegionBoxes regions = compute_boxes(page, TagTreeProfile::modern);
  const auto main = match_pattern(page, regions, "body[1]>div.page[1]>div.more[1]");
  REQUIRE(main);
  TagTreeLimits limits;
  limits.split = 1e9;  // nothing is divided for its length
  const auto has_main = [&](const Segmentation& segmentation) {
    require_well_formed(html, segmentation);
    return std::any_of(segmentation.regions.begin(), segmentation.regions.end(), [&](const Region& region) {
      return region.begin == regions.boxes[*main].begin && region.end == regions.boxes[*main].end;
    });
  };
  CHECK(has_main(tagtree_levels(page, regions, *main, kMaxLevel, limits)));
  CHECK_FALSE(has_main(tagtree_levels(page, regions, 0, kMaxLevel, limits)));
  const std::string model = encode_model({TagTreeProfile::modern, {}, "body[1]>div.page[1]>div.more[1]"});
  CHECK(has_main(tagtree(html, model)));
}

TEST_CASE("the main region is named, or what holds it where the levels end before, but not the page") {
  const std::string html = article(5, false);
  const std::string model = encode_model({TagTreeProfile::modern, {}, "body[1]>div.page[1]>div.more[1]"});
  const auto named = [&](const Segmentation& segmentation) {
    REQUIRE(segmentation.main);
    const Region& region = segmentation.regions[*segmentation.main];
    return html.substr(region.begin, region.end - region.begin);
  };
  const std::string whole = named(tagtree(html, model, kMaxLevel));
  CHECK(whole.starts_with("<div class=more>"));
  CHECK(named(tagtree(html, model, 1)).find(whole) != std::string::npos);
  TagTreeModel nowhere;
  nowhere.parameters.gamma = 0;
  CHECK_FALSE(tagtree(html, encode_model(nowhere)).main);
}

TEST_CASE("tagtree cuts pages of today and of 1998") {
  CHECK(leaf_regions(tagtree(div_page())).size() > 5);
  CHECK(leaf_regions(tagtree(table_page(), "paper")).size() > 1);
  CHECK(tagtree("").regions.size() == 1);
  CHECK(tagtree(sentences(1, 3000)).regions.size() <= 2);
  CHECK(tagtree_segmenter().segment("\x89PNG\r\n", {"image/png", "", 0, {}}).regions.size() == 1);
}

TEST_CASE("pages made to break tagtree are well formed in every profile") {
  for (const std::string& page : sample_pages()) {
    for (std::size_t size = 0; size < page.size(); size += size < 600 ? 13 : 307) {
      for (const char* profile : {"", "paper", "no;model"}) {
        tagtree(ByteView(page).substr(0, size), profile, size % 3 == 0 ? 2 : 0);
      }
    }
  }
}

TEST_CASE("tagtree is linear in the size of the page") {
  constexpr std::size_t kDepth = 100'000;
  for (const std::string& page :
       {repeat("<div>some text", kDepth), repeat("<table><tr><td>x", kDepth), repeat("<p>x</p>", 1'000'000),
        repeat("<table><tr><td>a long enough text</table>", 100'000), std::string(5'000'000, 'x'),
        "<table><tr>" + repeat("<td rowspan=9 colspan=99>x", 200'000),
        "<p title='" + std::string(10'000'000, 'x') + "'>y</p>", repeat("<div style='float:left'>x</div>", 200'000)}) {
    for (const char* profile : {"", "paper"}) tagtree(page, profile);
  }
}
