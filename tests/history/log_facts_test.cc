#include "history/log_facts.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/paragraph_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

constexpr char kUrl[] = "https://example.com/";

// Captures the pages named by letters, a day each, and draws the graph, oldest first.
std::string graph_of(TestArchive& archive, const std::string& letters,
                     std::vector<ReturnGraph::Place>* places = nullptr) {
  for (std::size_t i = 0; i < letters.size(); ++i)
    archive.add(kUrl, paragraph_page({std::string(1, letters[i])}), day(static_cast<int>(i)));
  const Snapshot snapshot = archive.snapshot();
  const ReturnGraph graph = must(ReturnGraph::make(snapshot, must(snapshot.find_url(kUrl)), {}));
  std::string text;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto place = graph.at(day(static_cast<int>(i)));
    if (places != nullptr) places->push_back(place);
    text += draw_lanes(graph, place, '*') + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a version that the page returned to has a lane") {
  TestArchive archive;
  std::vector<ReturnGraph::Place> places;
  CHECK(graph_of(archive, "ABAC", &places) == "  *\n* |\n  *\n*  \n");
  CHECK_FALSE(places[0].returned_to.has_value());
  CHECK(places[2].returned_to == day(0));
  CHECK(places[2].times == 2);
}

TEST_CASE("two versions that alternate have two lanes, and lanes are used again") {
  TestArchive archive;
  CHECK(graph_of(archive, "ABABCDEDE") == "  *  \n  | *\n  * |\n    *\n*    \n  *  \n  | *\n  * |\n    *\n");
}

TEST_CASE("versions beyond the lanes there are stand in the first") {
  TestArchive archive;
  std::vector<ReturnGraph::Place> places;
  graph_of(archive, "ABCDEFGHABCDEFGH", &places);
  CHECK(places[6].lane == ReturnGraph::kMostLanes);
  CHECK(places[7].lane == 0);
  CHECK(places[15].lane == 0);
  CHECK(places[15].returned_to == day(7));
}

TEST_CASE("a page that never returns has no lanes") {
  TestArchive archive;
  CHECK(graph_of(archive, "ABC") == "*\n*\n*\n");
}

TEST_CASE("a change is counted in blocks and bytes") {
  TestArchive archive;
  const auto first = archive.add(kUrl, paragraph_page({"alpha", "beta", "gamma"}), day(0));
  const auto second = archive.add(kUrl, paragraph_page({"alpha", "bravo", "gamma", "delta"}), day(1));
  const auto third = archive.add(kUrl, paragraph_page({"gamma", "alpha", "bravo"}), day(2));
  const Snapshot snapshot = archive.snapshot();
  LeafReader reader(snapshot.objects());
  const ChangeStat stat = must(change_stat(reader, &first.version, second.version));
  CHECK(stat.changed == 1);
  CHECK(stat.added == 1);
  CHECK(stat.removed == 0);
  CHECK_FALSE(stat.layout);
  CHECK(stat.bytes_added == long_paragraph("bravo").size() + long_paragraph("delta").size());
  CHECK(stat.bytes_removed == long_paragraph("beta").size());
  const ChangeStat moved = must(change_stat(reader, &second.version, third.version));
  CHECK(moved.changed == 0);
  CHECK(moved.added == 0);
  CHECK(moved.removed == 1);
  CHECK(must(change_stat(reader, &first.version, first.version)) == ChangeStat());
  CHECK(must(change_stat(reader, nullptr, first.version)).added > 3);
}

TEST_CASE("a change in the navigation leaves the main content as it was") {
  const auto page = [](const std::string& menu, const std::string& text) {
    return "<!DOCTYPE html><html><body><nav><ul><li><a href=\"/\">" + menu +
           "</a></li><li><a href=\"/a\">About us</a></li><li><a "
           "href=\"/c\">Contact</a></li></ul></nav><main><article><h1>" +
           "A title of some length</h1>" + long_paragraph(text) + long_paragraph("more") +
           "</article></main></body></html>";
  };
  TestArchive archive;
  const auto a = archive.add(kUrl, page("Home", "alpha"), day(0));
  const auto b = archive.add(kUrl, page("Start", "alpha"), day(1));
  const auto c = archive.add(kUrl, page("Start", "beta"), day(2));
  const Snapshot snapshot = archive.snapshot();
  LabelledPart main(snapshot, BlockLabel::main);
  LabelledPart navigation(snapshot, BlockLabel::navigation);
  CHECK(must(main.digest(a.version)) == must(main.digest(b.version)));
  CHECK(must(main.digest(b.version)) != must(main.digest(c.version)));
  CHECK(must(navigation.digest(a.version)) != must(navigation.digest(b.version)));
  CHECK(must(navigation.digest(b.version)) == must(navigation.digest(c.version)));
}

TEST_CASE("labels are known by their names") {
  CHECK(must(label_named("main")) == BlockLabel::main);
  CHECK(must(label_named("other")) == BlockLabel::none);
  const auto unknown = label_named("mane");
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().code == ErrorCode::invalid);
  CHECK(unknown.error().message.find("navigation") != std::string::npos);
}

}  // namespace blockarch
