#include "history/find_block.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/paragraph_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

std::vector<Sighting> sightings(TestArchive& archive, const std::string& text, bool ignore_case = false,
                                const FindBlockOptions& options = {}) {
  const Snapshot snapshot = archive.snapshot();
  TextFinder finder(snapshot.objects(), text, ignore_case);
  std::vector<Sighting> found;
  must(find_text(snapshot, finder, options, [&](const Sighting& s) {
    found.push_back(s);
    return true;
  }));
  return found;
}

std::vector<Sighting> sightings(TestArchive& archive, const ObjectId& id) {
  const Snapshot snapshot = archive.snapshot();
  std::vector<Sighting> found;
  must(find_block(snapshot, id, {}, [&](const Sighting& s) {
    found.push_back(s);
    return true;
  }));
  return found;
}

}  // namespace

TEST_CASE("a block is found at every URL and in every span it was seen") {
  TestArchive archive;
  archive.add("https://a.example/", paragraph_page({"alpha", "beta"}), day(0));
  archive.add("https://a.example/", paragraph_page({"alpha", "beta"}), day(1));
  archive.add("https://a.example/", paragraph_page({"alpha", "gamma"}), day(2));
  archive.add("https://a.example/", paragraph_page({"beta", "gamma"}), day(3));
  archive.add("https://b.example/", paragraph_page({"other", "beta"}), day(5));

  const auto by_text = sightings(archive, "beta beta0");
  REQUIRE(by_text.size() == 3);
  CHECK(by_text[0].url == "https://a.example/");
  CHECK(by_text[0].first == day(0));
  CHECK(by_text[0].last == day(1));
  CHECK(by_text[0].gone == day(2));
  CHECK(by_text[0].versions == 1);
  CHECK(by_text[1].first == day(3));
  CHECK_FALSE(by_text[1].gone.has_value());
  CHECK(by_text[2].url == "https://b.example/");

  const auto by_id = sightings(archive, by_text[0].block);
  REQUIRE(by_id.size() == 3);
  CHECK(by_id[2].first == day(5));
  CHECK(by_id[0].version == by_text[0].version);
  archive.require_clean();
}

TEST_CASE("a text is sought as a reader sees it") {
  TestArchive archive;
  archive.add("https://a.example/", "<p>Third <b>party</b>\n cookies &amp; more</p>", day(0));
  CHECK(sightings(archive, "Third party cookies & more").size() == 1);
  CHECK(sightings(archive, "  Third\nparty ").size() == 1);
  CHECK(sightings(archive, "third party").empty());
  CHECK(sightings(archive, "third PARTY", true).size() == 1);
  CHECK(sightings(archive, "<b>").empty());
}

TEST_CASE("a chunk of a long block is found through its list") {
  TestArchive archive;
  std::string script = "<html><body><script>";
  for (int i = 0; i < 3000; ++i)
    script += "var name" + std::to_string(i * 7919 % 3001) + " = " + std::to_string(i) + ";\n";
  archive.add("https://a.example/", script + "</script></body></html>", day(0));
  const Snapshot snapshot = archive.snapshot();
  const auto capture = must(snapshot.last_capture(must(snapshot.find_url("https://a.example/"))));
  const VersionInfo info = must(snapshot.version_info(capture.version));
  ObjectId list;
  for (const BlockInfo& block : info.blocks)
    if (block.is_leaf && block.content.kind == ObjectKind::list) list = block.content;
  REQUIRE(list.kind == ObjectKind::list);
  const BlockList chunks = must(load_block_list(snapshot.objects(), ListId{list.hash}));
  const auto found = sightings(archive, chunks.chunks.at(1).id);
  REQUIRE(found.size() == 1);
  CHECK(found[0].block == list);
}

TEST_CASE("find-block keeps to the URLs and times asked for, and can be stopped") {
  TestArchive archive;
  archive.add("https://a.example/", paragraph_page({"alpha"}), day(0));
  archive.add("https://b.example/", paragraph_page({"alpha"}), day(1));
  FindBlockOptions options;
  options.urls.host = "b.example";
  CHECK(sightings(archive, "alpha0", false, options).size() == 1);
  options = {};
  options.until = day(0);
  CHECK(sightings(archive, "alpha0", false, options).size() == 1);
  const Snapshot snapshot = archive.snapshot();
  TextFinder finder(snapshot.objects(), "alpha0", false);
  int count = 0;
  const auto report = must(find_text(snapshot, finder, {}, [&](const Sighting&) { return ++count < 1; }));
  CHECK(count == 1);
  CHECK(report.urls == 1);
}

TEST_CASE("nothing to look for is refused") {
  TestArchive archive;
  const Snapshot snapshot = archive.snapshot();
  TextFinder finder(snapshot.objects(), " \n ", false);
  const auto found = find_text(snapshot, finder, {}, [](const Sighting&) { return true; });
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().code == ErrorCode::invalid);
}

TEST_CASE("binary files have no text") {
  TestArchive archive;
  archive.add("https://a.example/x.png", std::string("\x89PNG\r\n\x1a\n\0\0 alpha", 16), day(0), "image/png");
  CHECK(sightings(archive, "alpha").empty());
}

}  // namespace blockarch
