#include "engine/gc.h"

#include <catch2/generators/catch_generators.hpp>
#include <filesystem>
#include <fstream>

#include "engine/erase.h"
#include "engine/pack_archive.h"
#include "engine/removal.h"
#include "tests/support/archive_contents.h"
#include "tests/support/sample_pages.h"

using namespace blockarch;

namespace {

Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * 86'400);
}

// Long enough to be a block of its own.
Bytes secret_section() {
  Bytes section = "<section><h2>What nobody may see</h2><p>";
  for (int i = 0; i < 300; ++i) section += "secret" + std::to_string(i * i % 1009) + " ";
  return section + "</p></section>";
}

const std::string kA = "https://example.com/a";
const std::string kB = "https://example.com/b";
const std::string kC = "https://other.example/c";

// Three URLs that share most of their blocks; b shows a block that no other does.
void fill(Archive& archive, int first_day, int days) {
  Writer writer = must(archive.writer());
  for (int d = first_day; d < first_day + days; ++d) {
    for (const std::string& url : {kA, kB, kC}) {
      Bytes page = sample_page(15) + "<p>" + url + " on day " + std::to_string(d) + "</p>";
      if (url == kB) page.insert(page.find("<h2>Section 7"), secret_section());
      CaptureRequest request;
      request.url = url;
      request.payload = page;
      request.time = day(d);
      request.content_type = "text/html";
      request.metadata = {{"day", std::to_string(d)}};
      must(writer.add(request));
    }
  }
  must(writer.commit());
}

ArchiveContents without(ArchiveContents contents, const std::string& url) {
  std::erase_if(contents, [&](const auto& entry) { return std::get<0>(entry.first) == url; });
  return contents;
}

// Whether any file of the archive holds these bytes as they are.
bool any_file_holds(const std::string& directory, const std::string& bytes) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(in)), {});
    if (all.find(bytes) != std::string::npos) return true;
  }
  return false;
}

GcReport collect_all(Archive& archive, int at = 100) {
  GcOptions options;
  options.now = day(at);
  options.grace = {};
  options.worth = 0;
  options.at_once = true;
  return must(collect_garbage(archive, options));
}

// How the captures are kept when something is done to them.
enum class Kept { loose, packed, all_packed, mixed };

void keep(Archive& archive, Kept how) {
  fill(archive, 0, 6);
  if (how == Kept::packed || how == Kept::mixed) must(pack_archive(archive, {}));
  if (how == Kept::all_packed) must(pack_archive(archive, {.all = true}));
  fill(archive, 6, 6);
  if (how == Kept::packed) must(pack_archive(archive, {}));
  if (how == Kept::all_packed) must(pack_archive(archive, {.all = true}));
}

}  // namespace

TEST_CASE("a URL that is forgotten can be put back until its grace is over") {
  const auto how = GENERATE(Kept::loose, Kept::packed, Kept::all_packed, Kept::mixed);
  TestArchive test;
  keep(test.archive(), how);
  const ArchiveContents before = contents_of(test.archive());

  const RemovalReport dry = must(forget_url(test.archive(), kB, {.now = day(20), .dry_run = true}));
  CHECK(dry.removed == 12);
  CHECK(contents_of(test.archive()) == before);

  CHECK(must(forget_url(test.archive(), kB, {.now = day(20)})).removed == 12);
  CHECK(contents_of(test.archive()) == without(before, kB));
  test.require_clean();

  SECTION("within the grace nothing goes") {
    GcOptions options;
    options.now = day(30);
    const GcReport report = must(collect_garbage(test.archive(), options));
    CHECK(report.waiting_captures == 12);
    CHECK(report.expired_captures == 0);
    CHECK(report.dead_versions == 0);
    if (GENERATE(false, true)) must(pack_archive(test.archive(), {.all = true}));
    CHECK(must(restore_url(test.archive(), kB, {.now = day(30)})).removed == 12);
    CHECK(contents_of(test.archive()) == before);
    const auto again = restore_url(test.archive(), kB, {.now = day(30)});
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ErrorCode::not_found);
  }
  SECTION("after it everything goes that no other URL shows") {
    GcOptions options;
    options.now = day(40);
    options.worth = 0;
    options.dry_run = true;
    const GcReport dry_gc = must(collect_garbage(test.archive(), options));
    CHECK(dry_gc.expired_captures == 12);
    CHECK(dry_gc.dead_versions == 12);
    options.dry_run = false;
    const GcReport report = must(collect_garbage(test.archive(), options));
    CHECK(report.dead_versions == 12);
    CHECK(contents_of(test.archive()) == without(before, kB));
    test.require_clean();
    CHECK_FALSE(restore_url(test.archive(), kB, {.now = day(41)}));
    const GcReport second = collect_all(test.archive());
    CHECK(second.dead_versions == 0);
    CHECK(second.loose_objects == 0);
    CHECK_FALSE(std::filesystem::exists(test.path() + "/quarantine"));
    // What went can come again.
    fill(test.archive(), 0, 12);
    CHECK(contents_of(test.archive()) == before);
  }
  test.require_clean();
}

TEST_CASE("gc keeps what has been captured again since it was forgotten") {
  TestArchive test;
  keep(test.archive(), GENERATE(Kept::loose, Kept::all_packed));
  const ArchiveContents before = contents_of(test.archive());
  must(forget_url(test.archive(), kB, {.now = day(20)}));
  fill(test.archive(), 0, 12);
  collect_all(test.archive());
  CHECK(contents_of(test.archive()) == before);
  test.require_clean();
}

TEST_CASE("pruning keeps what any rule keeps, and what tags show") {
  std::vector<Time> times;
  std::vector<bool> firsts;
  for (int i = 0; i < 400; ++i) {
    times.push_back(day(i));
    times.push_back(Time::from_seconds(1'700'000'000 + i * 86'400 + 100));
    firsts.push_back(i % 50 == 0);
    firsts.push_back(false);
  }
  const auto count = [&](const Retention& retention, const std::vector<Time>& tags = {}) {
    const auto kept = choose_kept(times, firsts, retention, tags);
    CHECK(kept.back());
    return std::count(kept.begin(), kept.end(), true);
  };
  CHECK(count({.last = 5}) == 5);
  CHECK(count({.daily = 7}) == 7);
  CHECK(count({.weekly = 4}) == 4);
  CHECK(count({.monthly = 6}) == 6);
  CHECK(count({.yearly = 10}) == 2);
  CHECK(count({.changes = true}) == 9);
  CHECK(count({.since = day(390)}) == 20);
  CHECK(count({.last = 1}, {day(10), day(20)}) == 3);
  CHECK(count({.last = 1}, {day(-10)}) == 1);
  CHECK(count({.last = 100'000}) == 800);
}

TEST_CASE("captures that are pruned leave the log, and their space after gc") {
  const auto how = GENERATE(Kept::loose, Kept::packed, Kept::all_packed, Kept::mixed);
  TestArchive test;
  keep(test.archive(), how);
  const ArchiveContents before = contents_of(test.archive());
  const auto nothing = prune(test.archive(), {}, {}, {.now = day(20)});
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().code == ErrorCode::invalid);
  const RemovalReport report = must(prune(test.archive(), {.host = "example.com"}, {.last = 2}, {.now = day(20)}));
  CHECK(report.removed == 20);
  CHECK(report.urls.size() == 2);
  ArchiveContents after = before;
  std::erase_if(after, [&](const auto& entry) {
    return std::get<0>(entry.first) != kC && std::get<1>(entry.first) < day(10).micros;
  });
  CHECK(contents_of(test.archive()) == after);
  collect_all(test.archive());
  CHECK(contents_of(test.archive()) == after);
  test.require_clean();
}

TEST_CASE("what is erased is in no file of the archive, and a tombstone says so") {
  const auto how = GENERATE(Kept::loose, Kept::packed, Kept::all_packed, Kept::mixed);
  TestArchive test;
  keep(test.archive(), how);
  const ArchiveContents before = contents_of(test.archive());
  EraseOptions options{day(20), "asked for by the owner", "an archivist"};

  SECTION("a reason is needed") {
    options.reason = "";
    const auto refused = erase_url_for_good(test.archive(), kB, options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::invalid);
    CHECK(contents_of(test.archive()) == before);
  }
  SECTION("a dry run changes nothing") {
    options.dry_run = true;
    CHECK(must(erase_url_for_good(test.archive(), kB, options)).captures.size() == 12);
    CHECK(contents_of(test.archive()) == before);
    CHECK(must(tombstones(test.snapshot())).empty());
  }
  SECTION("a URL") {
    const EraseReport report = must(erase_url_for_good(test.archive(), kB, options));
    CHECK(report.captures.size() == 12);
    CHECK(contents_of(test.archive()) == without(before, kB));
    CHECK_FALSE(restore_url(test.archive(), kB, {.now = day(21)}));
  }
  SECTION("a URL that was forgotten before") {
    must(prune(test.archive(), {}, {.last = 3}, {.now = day(19)}));
    must(erase_url_for_good(test.archive(), kB, options));
    CHECK_FALSE(restore_url(test.archive(), kB, {.now = day(21)}));
    must(restore_url(test.archive(), kA, {.now = day(21)}));
    must(restore_url(test.archive(), kC, {.now = day(21)}));
    CHECK(contents_of(test.archive()) == without(before, kB));
  }
  SECTION("a block") {
    ObjectId secret;
    {
      const Snapshot snapshot = test.snapshot();
      const CaptureInfo capture = must(snapshot.last_capture(must(snapshot.find_url(kB))));
      for (const BlockInfo& block : must(snapshot.version_info(capture.version)).blocks) {
        if (!block.is_leaf) continue;
        if (must(load(snapshot.objects(), block.content)).find("secret49 ") != std::string::npos)
          secret = block.content;
      }
    }
    REQUIRE_FALSE(secret.hash.is_zero());
    const EraseReport report = must(erase_object_for_good(test.archive(), secret, options));
    CHECK(report.captures.size() == 12);
    CHECK(contents_of(test.archive()) == without(before, kB));
    CHECK_FALSE(test.snapshot().find_object(secret.hash.hex()));
  }
  SECTION("a version") {
    VersionId version;
    {
      const Snapshot snapshot = test.snapshot();
      version = must(snapshot.capture_at(must(snapshot.find_url(kB)), day(3))).version;
    }
    CHECK(must(erase_object_for_good(test.archive(), version, options)).captures.size() == 1);
    CHECK(contents_of(test.archive()).size() == before.size() - 1);
    CHECK_FALSE(test.snapshot().find_object(version.hash.hex()));
  }
  if (!options.dry_run && !options.reason.empty()) {
    const auto stones = must(tombstones(test.snapshot()));
    REQUIRE(stones.size() == 1);
    CHECK(stones[0].reason == options.reason);
    CHECK(stones[0].by == options.by);
    CHECK(stones[0].captures > 0);
  }
  test.require_clean();
}

TEST_CASE("erased bytes are wiped from the tables too") {
  TestArchive test;
  // Too short to be compressed, so that its bytes stand in the file as they are.
  const std::string page = "<p>qxzjvk-7301</p>";
  test.add(kA, page, day(0));
  test.add(kC, "<p>stays</p>", day(0));
  REQUIRE(any_file_holds(test.path(), "qxzjvk-7301"));
  must(erase_url_for_good(test.archive(), kA, {day(1), "why not", "me"}));
  CHECK_FALSE(any_file_holds(test.path(), "qxzjvk-7301"));
  CHECK(test.page(kC, day(5)) == "<p>stays</p>");
  test.require_clean();
}

TEST_CASE("what a writer knew to be stored may be collected while it gives way") {
  TestArchive test;
  fill(test.archive(), 0, 3);
  Bytes page = sample_page(15) + "<p>later</p>";
  page.insert(page.find("<h2>Section 7"), secret_section());
  CaptureRequest request;
  request.url = kC;
  request.payload = page;
  request.time = day(9);
  Writer writer = must(test.archive().writer());
  // The section is stored when this is prepared, and when the page is looked at once more.
  PreparedCapture first = must(writer.prepare(request));
  must(writer.give_way_to([&]() -> Result<void> {
    must(forget_url(test.archive(), kB, {.now = day(20)}));
    GcOptions options;
    options.now = day(30);
    options.grace = {};
    const GcReport report = must(collect_garbage(test.archive(), options));
    CHECK(report.expired_captures == 3);
    return {};
  }));
  page += "<p>and once more</p>";
  request.payload = page;
  PreparedCapture second = must(writer.prepare(request));
  must(writer.add(std::move(second)));
  must(writer.commit());
  const Snapshot snapshot = must(test.archive().snapshot());
  const auto capture = must(snapshot.versions_back(must(snapshot.find_url(kC)), day(9), 0));
  CHECK(must(snapshot.page(capture)).bytes == page);
  test.require_clean();
}
