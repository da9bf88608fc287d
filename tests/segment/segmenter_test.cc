#include "segment/segmenter.h"

#include "tests/segment/segment_checks.h"

using namespace blockarch;

TEST_CASE("segmenters are found by name") {
  for (const std::string_view name : segmenter_names()) {
    const auto found = find_segmenter(name);
    REQUIRE(found.has_value());
    CHECK((*found)->name() == name);
  }
}

TEST_CASE("an unknown segmenter is not found and the message lists those there are") {
  const auto found = find_segmenter("nonesuch");
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().code == ErrorCode::not_found);
  CHECK(found.error().message.find("nonesuch") != std::string::npos);
  for (const std::string_view name : segmenter_names()) {
    CHECK(found.error().message.find(name) != std::string::npos);
  }
}

TEST_CASE("the segmenter whole makes one block of anything") {
  const Segmenter& whole = **find_segmenter("whole");
  for (const std::string& payload : {std::string(), std::string("<p>a<p>b"), repeat("<div><p>x</p></div>", 5000)}) {
    const Segmentation segmentation = whole.segment(payload, {"text/html", "utf-8", 0, {}});
    REQUIRE(segmentation.regions.size() == 1);
    require_well_formed(payload, segmentation);
  }
}

namespace {

Region region(std::uint64_t begin, std::uint64_t end, std::uint32_t parent, std::uint8_t level) {
  return {begin, end, parent, level, {}};
}

bool good(std::vector<Region> regions, int max_level = 3) {
  return is_well_formed({std::move(regions)}, 100, max_level);
}

}  // namespace

TEST_CASE("a tree of regions in order is well formed") {
  const Region root = region(0, 100, kNoParent, 0);
  CHECK(good({root}));
  CHECK(good({root, region(0, 50, 0, 1), region(10, 20, 1, 2), region(20, 50, 1, 2), region(50, 100, 0, 1)}));
  CHECK(is_well_formed({{region(0, 0, kNoParent, 0)}}, 0, 1));
}

TEST_CASE("a segmentation that breaks any rule is not well formed") {
  const Region root = region(0, 100, kNoParent, 0);
  const Region child = region(10, 50, 0, 1);
  CHECK_FALSE(good({}));
  CHECK_FALSE(good({region(0, 99, kNoParent, 0)}));
  CHECK_FALSE(good({region(1, 100, kNoParent, 0)}));
  CHECK_FALSE(good({region(0, 100, 0, 0)}));
  CHECK_FALSE(good({region(0, 100, kNoParent, 1)}));
  CHECK_FALSE(good({root, region(10, 10, 0, 1)}));
  CHECK_FALSE(good({root, region(50, 10, 0, 1)}));
  CHECK_FALSE(good({root, region(10, 101, 0, 1)}));
  CHECK_FALSE(good({root, child, region(40, 60, 0, 1)}));                        // overlaps
  CHECK_FALSE(good({root, child, region(0, 10, 0, 1)}));                         // out of order
  CHECK_FALSE(good({root, child, region(5, 20, 1, 2)}));                         // begins before its parent
  CHECK_FALSE(good({root, child, region(20, 51, 1, 2)}));                        // ends after its parent
  CHECK_FALSE(good({root, child, region(20, 30, 1, 3)}));                        // skips a level
  CHECK_FALSE(good({root, child, region(20, 30, 1, 2)}, 1));                     // deeper than asked for
  CHECK_FALSE(good({root, child, region(60, 70, 5, 1)}));                        // no such parent
  CHECK_FALSE(good({root, child, region(60, 70, 2, 1)}));                        // its own parent
  CHECK_FALSE(good({root, child, region(60, 70, kNoParent, 1)}));                // a second root
  CHECK_FALSE(good({root, child, region(50, 70, 0, 1), region(20, 30, 1, 2)}));  // not in pre-order
}
