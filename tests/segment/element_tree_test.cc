#include "segment/element_tree.h"

#include "tests/segment/segment_checks.h"

using namespace blockarch;

namespace {

std::uint32_t add(ElementTree& tree, std::uint32_t parent, std::uint32_t begin, std::uint32_t end,
                  ElementKind kind = ElementKind::block) {
  const std::uint32_t element = tree.open(parent, kind, begin, begin + 1);
  tree.close(element, end - 1, end);
  return element;
}

std::vector<std::uint32_t> children(const ElementTree& tree, std::uint32_t parent) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = tree.elements[parent].first_child; i != kNoElement; i = tree.elements[i].next_sibling) {
    all.push_back(i);
  }
  return all;
}

using Indices = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("children are linked in source order") {
  ElementTree tree(100);
  const std::uint32_t first = add(tree, 0, 0, 40);
  const std::uint32_t inner = add(tree, first, 10, 20);
  const std::uint32_t second = add(tree, 0, 40, 100);
  tree.finish();
  CHECK(children(tree, 0) == Indices{first, second});
  CHECK(children(tree, first) == Indices{inner});
  CHECK(children(tree, second).empty());
}

TEST_CASE("what does not nest or overlaps is dropped and its children go to its parent") {
  ElementTree tree(100);
  const std::uint32_t outer = add(tree, 0, 0, 50);
  const std::uint32_t sticks_out = add(tree, outer, 10, 60);
  const std::uint32_t inside = add(tree, sticks_out, 12, 20);
  const std::uint32_t overlaps = add(tree, 0, 40, 70);
  const std::uint32_t backwards = tree.open(0, ElementKind::block, 70, 75);
  tree.close(backwards, 74, 80);
  const std::uint32_t last = add(tree, 0, 80, 90);
  tree.finish();
  CHECK(children(tree, 0) == Indices{outer, last});
  CHECK(children(tree, outer) == Indices{inside});
  CHECK(tree.elements[sticks_out].dropped);
  CHECK(tree.elements[overlaps].dropped);
  CHECK(tree.elements[backwards].dropped);
}

TEST_CASE("a chain of dropped elements hands its children up") {
  ElementTree tree(100);
  const std::uint32_t a = add(tree, 0, 0, 90);
  const std::uint32_t b = add(tree, a, 1, 80);
  const std::uint32_t c = add(tree, b, 2, 70);
  const std::uint32_t leaf = add(tree, c, 10, 20);
  tree.drop(a);
  tree.drop(b);
  tree.drop(c);
  tree.finish();
  CHECK(children(tree, 0) == Indices{leaf});
}

TEST_CASE("text-level elements around a block become blocks, others do not") {
  ElementTree tree(9000);
  const std::uint32_t around = add(tree, 0, 0, 90, ElementKind::phrasing);
  const std::uint32_t between = add(tree, around, 1, 80, ElementKind::phrasing);
  add(tree, between, 10, 20);
  const std::uint32_t plain = add(tree, 0, 90, 100, ElementKind::phrasing);
  const std::uint32_t lines = add(tree, 0, 100, 8000, ElementKind::phrasing);
  add(tree, lines, 200, 204, ElementKind::line_break);
  const std::uint32_t line = add(tree, 0, 8000, 8100, ElementKind::phrasing);
  add(tree, line, 8010, 8014, ElementKind::line_break);
  tree.finish();
  CHECK(tree.elements[around].kind == ElementKind::block);
  CHECK(tree.elements[between].kind == ElementKind::block);
  CHECK(tree.elements[plain].kind == ElementKind::phrasing);
  CHECK(tree.elements[lines].kind == ElementKind::block);
  CHECK(tree.elements[line].kind == ElementKind::phrasing);
}

TEST_CASE("names are read from the start tag") {
  const std::string payload = "<div class=a><BR/>x";
  ElementTree tree(static_cast<std::uint32_t>(payload.size()));
  const std::uint32_t div = tree.open(0, ElementKind::block, 0, 13);
  const std::uint32_t br = tree.open(div, ElementKind::line_break, 13, 18);
  const std::uint32_t implied = tree.open(div, ElementKind::block, 18, 18);
  CHECK(element_name(payload, tree.elements[div]) == "div");
  CHECK(element_name(payload, tree.elements[br]) == "BR");
  CHECK(element_name(payload, tree.elements[implied]).empty());
  CHECK(element_name(payload, tree.elements[0]).empty());
}
