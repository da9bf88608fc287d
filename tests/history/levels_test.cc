#include "history/levels.h"

#include <catch2/catch_test_macros.hpp>

#include "history/level_replay.h"
#include "tests/support/paragraph_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

constexpr char kUrl[] = "https://example.com/";

// A table of sixty rows of which one changes each day, in a box that is too short to be cut by itself, and a list whose every
// item changes each day.
std::string page(int day_number) {
  std::string text = "<!DOCTYPE html><html><body>\n" + long_paragraph("header") + "<div id=\"mixed\">";
  for (int i = 0; i < 28; ++i) {
    const int value = i == day_number % 28 ? 100 + day_number : i;
    text +=
        "<p>Row " + std::to_string(i) + " of the box is worth " + std::to_string(value * 7919 % 1000) + " euros</p>\n";
  }
  text += "</div>\n<div id=\"together\">";
  for (int i = 0; i < 60; ++i)
    text += "<p>Item " + std::to_string(i) + " as it was on day " + std::to_string(day_number) + ", number " +
            std::to_string(i * 31 % 61) + " of sixty</p>\n";
  return text + "</div>\n" + long_paragraph("footer") + "</body></html>\n";
}

std::vector<ReplayPage> pages(int from, int to) {
  std::vector<ReplayPage> list;
  for (int i = from; i < to; ++i) list.push_back({page(i), "text/html", "utf-8"});
  return list;
}

}  // namespace

TEST_CASE("what changes together is proposed to stay whole, what mixes to be cut finer") {
  bool whole = false;
  bool fine = false;
  for (const CutChoice& choice : propose(pages(0, 10))) {
    CHECK_FALSE(choice.is_default());
    for (const std::string& path : choice.rules.whole) {
      whole = whole || path.find("together") != std::string::npos;
      CHECK(path.find("mixed") == std::string::npos);
    }
    for (const std::string& path : choice.rules.fine) fine = fine || path.find("mixed") != std::string::npos;
  }
  CHECK(whole);
  CHECK(fine);
}

TEST_CASE("a replay costs what is new") {
  const auto some = pages(0, 3);
  const CutCost cost = replay({}, some, {});
  CHECK(cost.objects > 0);
  CHECK(cost.stored > 0);
  CHECK(cost.fresh > some[0].bytes.size() / 2);
  CHECK(replay(some, some, {}) == CutCost());
  CHECK(replay(std::span(some).first(1), std::span(some).subspan(1), {}).stored < cost.stored);
}

TEST_CASE("a level is learnt from history, kept, and applied to new captures") {
  TestArchive archive;
  for (int i = 0; i < 24; ++i) archive.add(kUrl, page(i), day(i));
  std::optional<LearntLevel> level;
  {
    const Snapshot snapshot = archive.snapshot();
    level = must(learn_level(snapshot, must(snapshot.find_url(kUrl))));
  }
  REQUIRE(level.has_value());
  CHECK(level->url == kUrl);
  CHECK(level->learnt_from == 18);
  CHECK(level->checked_on == 6);
  REQUIRE_FALSE(level->choice.is_default());
  CHECK(level->by_choice.stored < level->by_default.stored);
  {
    Writer writer = must(archive.archive().writer());
    must(put_level(writer, *level));
  }
  CaptureRequest request;
  request.url = "HTTPS://EXAMPLE.com";
  {
    const Snapshot snapshot = archive.snapshot();
    CHECK(must(find_level(snapshot, kUrl)) == level);
    CHECK(must(all_levels(snapshot)).size() == 1);
    const LevelBook book = must(LevelBook::open(snapshot));
    CHECK(book.size() == 1);
    book.apply(request);
    CHECK(request.level == level->choice.level);
    CHECK(request.profile == encode_cut_rules(level->choice.rules));
    CaptureRequest chosen;
    chosen.url = kUrl;
    chosen.level = 3;
    book.apply(chosen);
    CHECK(chosen.level == 3);
    CHECK(chosen.profile.empty());
    CaptureRequest other;
    other.url = "https://example.com/other";
    book.apply(other);
    CHECK(other.profile.empty());
  }
  const std::string next = page(30);
  request.payload = next;
  request.time = day(30);
  archive.add(request);
  CHECK(archive.page(kUrl, day(30)) == next);
  CHECK(archive.page(kUrl, day(3)) == page(3));
  {
    Writer writer = must(archive.archive().writer());
    must(erase_level(writer, kUrl));
    CHECK(erase_level(writer, kUrl).error().code == ErrorCode::not_found);
  }
  CHECK_FALSE(must(find_level(archive.snapshot(), kUrl)).has_value());
  archive.require_clean();
}

TEST_CASE("few versions, and what is no markup, teach nothing") {
  TestArchive archive;
  for (int i = 0; i < 4; ++i) archive.add(kUrl, page(i), day(i));
  for (int i = 0; i < 10; ++i)
    archive.add("https://example.com/bin", std::string(3000, static_cast<char>(i)), day(i), "application/octet-stream");
  const Snapshot snapshot = archive.snapshot();
  CHECK_FALSE(must(learn_level(snapshot, must(snapshot.find_url(kUrl)))).has_value());
  CHECK_FALSE(must(learn_level(snapshot, must(snapshot.find_url("https://example.com/bin")))).has_value());
}

TEST_CASE("what was learnt reads as it was written, and nothing else does") {
  LearntLevel level;
  level.url = kUrl;
  level.choice = {2, {{"body/a"}, {"body/b"}}};
  level.learnt_from = 5;
  level.by_choice.fresh = 77;
  const std::string text = encode_level(level);
  CHECK(decode_level(text) == level);
  for (std::size_t length = 0; length < text.size(); ++length)
    CHECK_FALSE(decode_level(text.substr(0, length)).has_value());
  CHECK_FALSE(decode_level(text + "x").has_value());
  CHECK_FALSE(decode_level("2" + text.substr(1)).has_value());
  TestArchive archive;
  {
    Writer writer = must(archive.archive().writer());
    must(put_level(writer, level));
    const Snapshot snapshot = archive.snapshot();
    const auto settings = must(snapshot.settings("level/"));
    REQUIRE(settings.size() == 1);
    must(writer.put_setting({settings[0].name, "nonsense"}));
  }
  const Snapshot snapshot = archive.snapshot();
  CHECK(find_level(snapshot, kUrl).error().code == ErrorCode::corrupt);
  CHECK(must(all_levels(snapshot)).empty());
}

}  // namespace blockarch
