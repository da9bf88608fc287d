#include "history/word_blame.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/paragraph_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

constexpr char kUrl[] = "https://example.com/";

// A page with one paragraph of its own between two long ones.
std::string page(const std::string& sentence) {
  return "<!DOCTYPE html><html><body>\n" + long_paragraph("header") + "<div class=\"" + std::string(1100, 'x') +
         "\"><p>" + sentence + "</p></div>\n" + long_paragraph("footer") + "</body></html>\n";
}

// "0:one two|2:three": the day each run of the block that begins so came in.
std::string runs_in(TestArchive& archive, const std::string& beginning, Time at = Time::max()) {
  const Snapshot snapshot = archive.snapshot();
  const WordBlame result = must(blame_words(snapshot, must(snapshot.capture_at(must(snapshot.find_url(kUrl)), at))));
  REQUIRE(result.words.size() == result.blame.blocks.size());
  for (const auto& runs : result.words) {
    if (runs.empty() || !runs[0].text.starts_with(beginning)) continue;
    std::string text;
    for (const WordRun& run : runs) {
      if (!text.empty()) text += "|";
      text += std::to_string((run.since.micros - day(0).micros) / 86'400'000'000) + ":" + run.text;
    }
    return text;
  }
  return "no such block";
}

}  // namespace

TEST_CASE("each run of words has its own age") {
  TestArchive archive;
  archive.add(kUrl, page("We keep data for ten days."), day(0));
  archive.add(kUrl, page("We keep your data for ten days."), day(1));
  archive.add(kUrl, page("We keep your data for <b>thirty</b> days."), day(2));
  CHECK(runs_in(archive, "We") == "0:We keep|1:your|0:data for|2:thirty|0:days.");
  CHECK(runs_in(archive, "We", day(1)) == "0:We keep|1:your|0:data for ten days.");
  CHECK(runs_in(archive, "header").starts_with("0:header header0"));
  archive.require_clean();
}

TEST_CASE("words that went and came back are as young as their return") {
  TestArchive archive;
  archive.add(kUrl, page("We never sell data."), day(0));
  archive.add(kUrl, page("We sell data."), day(1));
  archive.add(kUrl, page("We never sell data."), day(2));
  CHECK(runs_in(archive, "We") == "0:We|2:never|0:sell data.");
}

TEST_CASE("a page with one version and one without text have their words told") {
  TestArchive archive;
  archive.add(kUrl, page("One two."), day(0));
  CHECK(runs_in(archive, "One") == "0:One two.");
  archive.add(kUrl, std::string("\1\2\3\0", 4), day(1), "application/octet-stream");
  CHECK(runs_in(archive, "One") == "no such block");
}

TEST_CASE("Chinese has words too") {
  TestArchive archive;
  archive.add(kUrl, page("我们收集数据。"), day(0));
  archive.add(kUrl, page("我们不收集数据。"), day(1));
  CHECK(runs_in(archive, "我们") == "0:我们|1:不|0:收集数据。");
}

}  // namespace blockarch
