#include "segment/partition.h"

#include <algorithm>
#include <set>

#include "tests/segment/pages.h"
#include "tests/segment/segment_checks.h"

using namespace blockarch;

namespace {

std::size_t count_new(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::set<std::string> known(before.begin(), before.end());
  return static_cast<std::size_t>(
      std::count_if(after.begin(), after.end(), [&](const std::string& block) { return !known.contains(block); }));
}

std::vector<std::string> paragraphs(unsigned count) {
  std::vector<std::string> all;
  for (unsigned i = 0; i < count; ++i) {
    all.push_back((i % 10 == 0 ? "<h2>Section " + std::to_string(i) + "</h2>\n" : "") + "<p>" +
                  sentences(i, 10 + static_cast<int>(i * 7 % 60)) + "</p>\n");
  }
  return all;
}

std::string page_of(const std::vector<std::string>& parts) {
  std::string page = "<!DOCTYPE html><html><head><title>T</title></head><body><header>" + sentences(900, 30) +
                     "</header><div id=main>\n";
  for (const std::string& part : parts) page += part;
  return page + "</div><footer>" + sentences(901, 30) + "</footer></body></html>";
}

std::vector<std::string> blocks_of(const std::string& page) {
  const Segmentation segmentation = segment_as(page);
  require_well_formed(page, segmentation);
  return leaf_bytes(page, segmentation);
}

}  // namespace

TEST_CASE("inserting, deleting or changing a paragraph changes a block or two") {
  const std::vector<std::string> parts = paragraphs(200);
  const std::vector<std::string> before = blocks_of(page_of(parts));
  REQUIRE(before.size() > 60);
  for (const std::size_t at : {0u, 1u, 57u, 100u, 130u, 199u}) {
    INFO("at paragraph " << at);
    std::vector<std::string> inserted = parts;
    inserted.insert(inserted.begin() + static_cast<std::ptrdiff_t>(at), "<p>" + sentences(5000, 25) + "</p>\n");
    CHECK(count_new(before, blocks_of(page_of(inserted))) <= 3);
    std::vector<std::string> deleted = parts;
    deleted.erase(deleted.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK(count_new(before, blocks_of(page_of(deleted))) <= 3);
    std::vector<std::string> changed = parts;
    changed[at].insert(changed[at].size() - 5, "changed");
    CHECK(count_new(before, blocks_of(page_of(changed))) <= 3);
  }
}

TEST_CASE("wrapping the content in one more element keeps the blocks") {
  const std::vector<std::string> before = blocks_of(page_of(paragraphs(100)));
  std::vector<std::string> wrapped = paragraphs(100);
  wrapped.front().insert(0, "<div class=new>");
  wrapped.back() += "</div>";
  CHECK(count_new(before, blocks_of(page_of(wrapped))) <= 3);
}

TEST_CASE("groups stay within their sizes and begin with their heading") {
  const PartitionLimits limits;
  const std::vector<std::string> blocks = blocks_of(page_of(paragraphs(300)));
  std::size_t total = 0;
  for (const std::string& block : blocks) {
    CHECK(block.size() <= limits.most);
    total += block.size();
    const std::size_t heading = block.find("<h2>");
    if (heading != std::string::npos) CHECK(heading < limits.least);
  }
  CHECK(total / blocks.size() > limits.group / 2);
  CHECK(total / blocks.size() < limits.group * 3);
}

TEST_CASE("almost nothing but tags is left to the layout") {
  for (const std::string& page : sample_pages()) {
    const Segmentation segmentation = segment_as(page);
    std::uint64_t covered = 0;
    for (const Region& leaf : leaf_regions(segmentation)) covered += leaf.end - leaf.begin;
    CHECK(page.size() - covered <= 300 + page.size() / 10);
  }
}

TEST_CASE("each level refines the one before and none is deeper than asked for") {
  for (const std::string& page : sample_pages()) {
    Segmentation coarse = segment_as(page, "text/html", 1);
    require_well_formed(page, coarse, 1);
    for (int level = 2; level <= 8; ++level) {
      const Segmentation fine = segment_as(page, "text/html", level);
      require_well_formed(page, fine, level);
      const std::vector<Region> outer = leaf_regions(coarse);
      for (const Region& leaf : leaf_regions(fine)) {
        CHECK(std::any_of(outer.begin(), outer.end(),
                          [&](const Region& region) { return region.begin <= leaf.begin && leaf.end <= region.end; }));
      }
      CHECK(leaf_regions(fine).size() >= outer.size());
      coarse = fine;
    }
  }
}

TEST_CASE("levels follow the nesting of the page") {
  const std::string page = div_page();
  const auto paths = [&](int level) {
    std::vector<std::string> all;
    const Segmentation segmentation = segment_as(page, "text/html", level);
    for (const Region& leaf : leaf_regions(segmentation)) all.push_back(leaf.path);
    return all;
  };
  CHECK(paths(1) == std::vector<std::string>{"head", "body/header", "body/div#content", "body/footer"});
  CHECK(paths(2) == std::vector<std::string>{"head", "body/header", "body/div#content/main", "body/div#content/aside",
                                             "body/footer"});
  CHECK(paths(3).size() > paths(2).size());
  CHECK(paths(0) == paths(kMaxLevel));
}

TEST_CASE("paths are short, plain and name ids") {
  std::string page = "<body>";
  for (int i = 0; i < 40; ++i) {
    page +=
        "<div id='part-" + std::to_string(i) + "\xff<script>'><p>" + sentences(static_cast<unsigned>(i), 200) + "</p>";
  }
  const Segmentation segmentation = segment_as(page);
  require_well_formed(page, segmentation);
  REQUIRE(segmentation.regions.size() > 20);
  for (const Region& region : segmentation.regions) {
    CHECK(region.path.size() <= 130);
    CHECK(std::all_of(region.path.begin(), region.path.end(), [](char c) { return c > ' ' && c < 0x7f && c != '<'; }));
  }
  CHECK(segmentation.regions[1].path.find("body/div#part-0script") == 0);
}

TEST_CASE("text with line breaks alone is cut at line breaks") {
  std::string page = "<html><body><font size=2>";
  for (unsigned i = 0; i < 200; ++i) page += sentences(i, 12) + "<br>\n";
  page += "</font></body></html>";
  const std::vector<std::string> blocks = blocks_of(page);
  CHECK(blocks.size() > 20);
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) CHECK(blocks[i].ends_with("<br>\n"));
}

TEST_CASE("scripts and styles are blocks by themselves whatever their size") {
  const std::string script = "<script>var a = [" + repeat("1,2,3,", 3000) + "0];</script>\n";
  const std::string page =
      "<body><p>" + sentences(1, 200) + "</p>\n" + script + "<p>" + sentences(2, 200) + "</p></body>";
  const std::vector<std::string> blocks = blocks_of(page);
  CHECK(std::count(blocks.begin(), blocks.end(), script) == 1);
}

TEST_CASE("a container with an enormous tag stays whole") {
  const std::string page = "<body><div title='" + std::string(100000, 'x') + "'>" +
                           repeat("<p>" + sentences(1, 300) + "</p>", 20) + "</div><p>" + sentences(2, 100) +
                           "</p></body>";
  const Segmentation segmentation = segment_as(page);
  std::uint64_t covered = 0;
  for (const Region& leaf : leaf_regions(segmentation)) covered += leaf.end - leaf.begin;
  CHECK(page.size() - covered < 100);
}
