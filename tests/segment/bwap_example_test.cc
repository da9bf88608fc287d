// The worked example of the paper, figures 2 to 7.
#include "objects/layout.h"
#include "tests/segment/bwap_checks.h"

using namespace blockarch;

TEST_CASE("the paper's example has five blocks at level 1") {
  const Segmentation found = bwap(example_page(false), "2008", 1);
  CHECK(leaf_ids(found) == "T1 T2 C B1 B2 ");
}

TEST_CASE("the paper's example has three columns in its content at level 2") {
  const Segmentation found = bwap(example_page(false), "2008", 2);
  CHECK(ids_at_level(found, 1) == "T1 T2 C B1 B2 ");
  CHECK(ids_at_level(found, 2) == "CL CC CR ");
  CHECK(leaf_ids(found) == "T1 T2 CL CC CR B1 B2 ");
}

TEST_CASE("the paper's example has six news and two boxes at level 3") {
  const Segmentation found = bwap(example_page(false), "2008", 3);
  CHECK(ids_at_level(found, 1) == "T1 T2 C B1 B2 ");
  CHECK(ids_at_level(found, 2) == "CL CC CR ");
  CHECK(ids_at_level(found, 3) == "CC1 CC2 CC3 CC4 CC5 CC6 CR1 CR2 ");
  CHECK(leaf_ids(found) == "T1 T2 CL CC1 CC2 CC3 CC4 CC5 CC6 CR1 CR2 B1 B2 ");
}

TEST_CASE("the paper's example cannot be divided below level 3") {
  const std::string page = example_page(false);
  CHECK(leaf_ids(bwap(page, "2008", 9)) == leaf_ids(bwap(page, "2008", 3)));
}

TEST_CASE("the second capture of the paper's example stores what changed at each level") {
  const std::string first = example_page(false);
  const std::string second = example_page(true);
  const std::vector<std::string> expected = {"C ", "CC ", "CC2 CC3 CC4 CC5 CC6 "};
  for (int level = 1; level <= 3; ++level) {
    const Segmentation before = bwap(first, "2008", level);
    const Segmentation after = bwap(second, "2008", level);
    CHECK(encode_layout(split_page(first, before).layout) == encode_layout(split_page(second, after).layout));
    std::string ids;
    for (const std::string& block : new_blocks(first, before, second, after)) {
      const std::size_t at = block.find("id=\"") + 4;
      ids += block.substr(at, block.find('"', at) - at) + " ";
    }
    CHECK(ids == expected[static_cast<std::size_t>(level) - 1]);
  }
}
