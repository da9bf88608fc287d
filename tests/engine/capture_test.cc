#include <filesystem>
#include <random>

#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

constexpr char kUrl[] = "https://example.com/page";

Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * 86'400);
}

std::uint64_t disk_size(const std::string& archive) {
  return std::filesystem::file_size(archive + "/hot.mdb");
}

}  // namespace

TEST_CASE("a capture goes in and comes back byte for byte") {
  TestArchive test;
  const Bytes page = sample_page(40);
  const CaptureOutcome outcome = test.add(kUrl, page, day(0));
  CHECK(outcome.change == CaptureChange::first);
  CHECK(outcome.new_objects > 10);
  CHECK(test.page(kUrl, day(0)) == page);
  CHECK(test.page(kUrl, day(100)) == page);
  test.require_clean();
}

TEST_CASE("any bytes under any type come back byte for byte") {
  TestArchive test;
  std::mt19937 random(1);
  std::vector<Bytes> payloads = {"", "x", Bytes(1, '\0'), Bytes(5000, '\xff'), sample_page(3).substr(0, 777)};
  for (int i = 0; i < 40; ++i) {
    Bytes bytes(random() % 20'000, '\0');
    for (char& c : bytes) c = static_cast<char>(i % 2 ? random() : "<>/=\"' abdivp!-"[random() % 15]);
    payloads.push_back(bytes);
  }
  int n = 0;
  for (const Bytes& payload : payloads) {
    for (const char* type : {"text/html", "application/xml", "image/png", "", "text/html; charset=gbk"}) {
      const std::string url = "https://example.com/" + std::to_string(n++);
      test.add(url, payload, day(0), type);
      REQUIRE(test.page(url, day(0)) == payload);
    }
  }
  test.require_clean();
}

TEST_CASE("A to B to A is three log entries and two stored pages") {
  TestArchive test;
  const Bytes a = sample_page(30);
  const Bytes b = sample_page(30, 10, "edited");
  CHECK(test.add(kUrl, a, day(0)).change == CaptureChange::first);
  CHECK(test.add(kUrl, b, day(1)).change == CaptureChange::changed);
  const CaptureOutcome back = test.add(kUrl, a, day(2));
  CHECK(back.change == CaptureChange::changed);
  CHECK(back.new_objects == 0);
  CHECK(back.known_page);
  const auto log = test.log(kUrl);
  REQUIRE(log.size() == 3);
  CHECK(log[0].version == log[2].version);
  CHECK(log[0].version != log[1].version);
  CHECK(must(test.snapshot().stats()).versions == 2);
  CHECK(test.page(kUrl, day(0)) == a);
  CHECK(test.page(kUrl, day(1)) == b);
  CHECK(test.page(kUrl, day(2)) == a);
  test.require_clean();
}

TEST_CASE("a thousand unchanged captures cost less than 32 bytes each") {
  TestArchive test;
  const Bytes page = sample_page(30);
  for (int i = 0; i < 20; ++i) test.add(kUrl, page, day(i));
  const std::uint64_t before = disk_size(test.path());
  for (int i = 20; i < 1020; ++i) CHECK(test.add(kUrl, page, day(i)).change == CaptureChange::unchanged);
  CHECK(disk_size(test.path()) - before < 32 * 1000);
  CHECK(must(test.snapshot().stats()).captures == 1020);
  CHECK(test.log(kUrl).size() == 1);
  CHECK(test.log(kUrl)[0].repeats == 1019);
  test.require_clean();
}

TEST_CASE("a small change stores a small part of the page") {
  TestArchive test;
  test.add(kUrl, sample_page(60), day(0));
  const CaptureOutcome outcome = test.add(kUrl, sample_page(60, 30, "edited"), day(1));
  CHECK(outcome.new_objects <= 6);
  CHECK(outcome.new_stored_bytes < 2500);
}

TEST_CASE("the same page at another URL is stored once") {
  TestArchive test;
  const Bytes page = sample_page(20);
  const CaptureOutcome first = test.add(kUrl, page, day(0));
  const CaptureOutcome second = test.add("https://mirror.example/", page, day(0));
  CHECK(second.version == first.version);
  CHECK(second.new_objects == 0);
  CHECK(second.change == CaptureChange::first);
  test.require_clean();
}

TEST_CASE("a back-dated capture appears at its place and changes no other id") {
  TestArchive test;
  for (int i = 0; i < 10; ++i) test.add(kUrl, sample_page(20, i, "v" + std::to_string(i)), day(i * 2));
  const auto before = test.log(kUrl);
  const CaptureOutcome outcome = test.add(kUrl, sample_page(20, 3, "late arrival"), day(7));
  CHECK(outcome.change == CaptureChange::changed);
  auto after = test.log(kUrl);
  REQUIRE(after.size() == 11);
  CHECK(after[6].time == day(7));
  CHECK(after[6].version == outcome.version);
  after.erase(after.begin() + 6);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i].version == before[i].version);
  CHECK(test.page(kUrl, {day(7).micros - 1}) == sample_page(20, 3, "v3"));
  CHECK(test.page(kUrl, day(7)) == sample_page(20, 3, "late arrival"));
  CHECK(test.page(kUrl, {day(8).micros - 1}) == sample_page(20, 3, "late arrival"));
  test.require_clean();
}

TEST_CASE("the same capture added twice is there once") {
  TestArchive test;
  const Bytes page = sample_page(5);
  CaptureRequest request;
  request.url = kUrl;
  request.payload = page;
  request.time = day(0);
  request.metadata = {{"source", "first"}};
  CHECK(test.add(request).change == CaptureChange::first);
  CHECK(test.add(request).change == CaptureChange::duplicate);
  CHECK(test.log(kUrl, {.unchanged = true}).size() == 1);
  test.require_clean();
}

TEST_CASE("two different pages of one URL and one time are both kept, and the later arrival is what shows") {
  TestArchive test;
  test.add(kUrl, "one", day(0));
  test.add(kUrl, "two", day(0));
  CHECK(test.log(kUrl).size() == 2);
  CHECK(test.page(kUrl, day(0)) == "two");
  test.require_clean();
}

TEST_CASE("a batch is one transaction and its captures see each other") {
  TestArchive test;
  const std::vector<Bytes> pages = {sample_page(20), sample_page(20, 1, "x"), sample_page(20)};
  {
    Writer writer = must(test.archive().writer());
    for (int i = 0; i < 3; ++i) {
      CaptureRequest request;
      request.url = kUrl;
      request.payload = pages[static_cast<std::size_t>(i)];
      request.time = day(i);
      must(writer.add(request));
    }
    CHECK(writer.pending_bytes() > 1000);
    CHECK(test.snapshot().find_url(kUrl).error().code == ErrorCode::not_found);
    const auto outcomes = must(writer.commit());
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[0].version == outcomes[2].version);
    CHECK(outcomes[2].known_page);
    CHECK(outcomes[2].change == CaptureChange::changed);
    CHECK(writer.pending_bytes() == 0);
  }
  CHECK(test.log(kUrl).size() == 3);
  test.require_clean();
}

TEST_CASE("what was not committed is not there") {
  TestArchive test;
  {
    Writer writer = must(test.archive().writer());
    CaptureRequest request;
    request.url = kUrl;
    request.payload = "page";
    must(writer.add(request));
  }
  CHECK(test.snapshot().find_url(kUrl).error().code == ErrorCode::not_found);
  test.require_clean();
}

TEST_CASE("a bad request is refused and leaves the batch as it was") {
  TestArchive test;
  Writer writer = must(test.archive().writer());
  CaptureRequest good;
  good.url = kUrl;
  good.payload = "page";
  must(writer.add(good));
  const auto refused = [&](auto change) {
    CaptureRequest bad = good;
    change(bad);
    const auto added = writer.add(bad);
    REQUIRE_FALSE(added.has_value());
    return added.error().code;
  };
  CHECK(refused([](auto& r) { r.url = "no url"; }) == ErrorCode::invalid);
  CHECK(refused([](auto& r) { r.segmenter = "nobody"; }) == ErrorCode::not_found);
  CHECK(refused([](auto& r) { r.level = -1; }) == ErrorCode::invalid);
  CHECK(refused([](auto& r) { r.level = 1000; }) == ErrorCode::invalid);
  CHECK(refused([](auto& r) { r.profile = "modern"; }) == ErrorCode::invalid);  // auto has none
  CHECK(refused([](auto& r) {
          r.segmenter = "bwap";
          r.profile = "1999";
        }) == ErrorCode::invalid);
  CHECK(refused([](auto& r) { r.metadata = {{"", "x"}}; }) == ErrorCode::invalid);
  CHECK(refused([](auto& r) { r.time.micros = INT64_MAX; }) == ErrorCode::invalid);
  CHECK(must(writer.commit()).size() == 1);
}

TEST_CASE("an unknown charset is a warning and the bytes are kept") {
  TestArchive test;
  std::vector<std::string> warnings;
  {
    Writer writer = must(test.archive().writer());
    CaptureRequest request;
    request.url = kUrl;
    request.payload = "<p>\xe9\xff</p>";
    request.content_type = "text/html; charset=x-nobody";
    must(writer.add(request, &warnings));
    must(writer.commit());
  }
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("x-nobody") != std::string::npos);
  CHECK(test.page(kUrl, day(0)) == "<p>\xe9\xff</p>");
}

TEST_CASE("a page cut again on request is another version of the same bytes, and no change") {
  TestArchive test;
  const Bytes page = sample_page(40);
  test.add(kUrl, page, day(0));
  CaptureRequest request;
  request.url = kUrl;
  request.payload = page;
  request.time = day(1);
  request.content_type = "text/html";
  request.segmenter = "whole";
  const CaptureOutcome outcome = test.add(request);
  CHECK(outcome.change == CaptureChange::unchanged);
  CHECK(outcome.version != test.add(kUrl, page, day(2)).version);
  CHECK(test.log(kUrl).size() == 1);
  const Snapshot s = test.snapshot();
  CHECK(must(s.version_info(outcome.version)).blocks.size() == 1);
  test.require_clean();
}

TEST_CASE("a profile is obeyed though no version remembers it") {
  TestArchive test;
  const Bytes page = sample_page(40);
  CaptureRequest request;
  request.url = kUrl;
  request.payload = page;
  request.content_type = "text/html";
  request.segmenter = "btls";
  const auto add = [&](int at, const std::string& profile) {
    request.time = day(at);
    request.profile = profile;
    return test.add(request);
  };
  const CaptureOutcome plain = add(0, "");
  const CaptureOutcome paper = add(1, "paper,latin");
  CHECK(paper.change == CaptureChange::unchanged);
  CHECK(paper.version != plain.version);
  SECTION("the same profile gives the version that is stored") {
    const CaptureOutcome again = add(2, "paper,latin");
    CHECK(again.version == paper.version);
    CHECK(again.new_objects == 0);
    CHECK(add(1, "paper,latin").change == CaptureChange::duplicate);
  }
  SECTION("the default by its name gives what the default gave") {
    const CaptureOutcome named = add(2, "modern");
    CHECK(named.version == plain.version);
    CHECK(named.new_objects == 0);
  }
  SECTION("a batch may hold several profiles of one page") {
    Writer writer = must(test.archive().writer());
    std::vector<VersionId> versions;
    for (const char* profile : {"modern", "paper,latin", "modern", "paper,latin", "paper,cjk"}) {
      request.time = day(3 + static_cast<int>(versions.size()));
      request.profile = profile;
      versions.push_back(must(writer.add(request)));
    }
    must(writer.commit());
    CHECK(versions[0] == plain.version);
    CHECK(versions[1] == paper.version);
    CHECK(versions[2] == versions[0]);
    CHECK(versions[3] == versions[1]);
    CHECK(versions[4] != versions[0]);
  }
  test.require_clean();
}

TEST_CASE("metadata belongs to its capture and is stored once") {
  TestArchive test;
  CaptureRequest request;
  request.url = kUrl;
  request.payload = "page";
  request.metadata = {{"status", "200"}, {"crawler", "test"}};
  for (int i = 0; i < 5; ++i) {
    request.time = day(i);
    test.add(request);
  }
  request.metadata = {{"status", "203"}};
  request.time = day(5);
  test.add(request);
  const Snapshot s = test.snapshot();
  const UrlNumber url = must(s.find_url(kUrl));
  CHECK(must(s.capture_at(url, day(3))).metadata.entries.size() == 2);
  CHECK(must(s.last_capture(url)).metadata.entries.at(0).second == "203");
  for (const auto& [kind, stats] : must(s.stats()).kinds) {
    if (kind == ObjectKind::metadata) CHECK(stats.objects == 2);
  }
  test.require_clean();
}

TEST_CASE("first, last, next and previous walk the captures") {
  TestArchive test;
  for (int i = 0; i < 5; ++i) test.add(kUrl, "page " + std::to_string(i), day(i));
  const Snapshot s = test.snapshot();
  const UrlNumber url = must(s.find_url(kUrl));
  CHECK(must(s.first_capture(url)).time == day(0));
  CHECK(must(s.last_capture(url)).time == day(4));
  CHECK(must(s.next_capture(url, day(1)))->time == day(2));
  CHECK(must(s.next_capture(url, {day(0).micros - 1}))->time == day(0));
  CHECK_FALSE(must(s.next_capture(url, day(4))));
  CHECK(must(s.previous_capture(url, day(1)))->time == day(0));
  CHECK_FALSE(must(s.previous_capture(url, day(0))));
  const auto early = s.capture_at(url, {day(0).micros - 1});
  CHECK(early.error().code == ErrorCode::not_found);
  CHECK(early.error().message.find("the first is of") != std::string::npos);
}

TEST_CASE("a long history of small changes stays small, and every version comes back") {
  TestArchive test;
  std::vector<Bytes> pages;
  for (int i = 0; i < 120; ++i) pages.push_back(sample_page(60, i % 60, "edit " + std::to_string(i)));
  {
    Writer writer = must(test.archive().writer());
    for (std::size_t i = 0; i < pages.size(); ++i) {
      CaptureRequest request;
      request.url = kUrl;
      request.payload = pages[i];
      request.time = day(static_cast<int>(i));
      must(writer.add(request));
      if (i % 7 == 0) must(writer.commit());
    }
    must(writer.commit());
  }
  for (std::size_t i = 0; i < pages.size(); ++i) REQUIRE(test.page(kUrl, day(static_cast<int>(i))) == pages[i]);
  std::uint64_t stored = 0;
  for (const auto& [kind, stats] : must(test.snapshot().stats()).kinds) stored += stats.stored_bytes;
  CHECK(stored < 30 * pages[0].size());
  test.require_clean();
}

TEST_CASE("lists of chunks are stored as differences from the page before") {
  TestArchive test;
  std::mt19937 random(3);
  std::string state;
  for (int i = 0; i < 20'000; ++i) state += std::to_string(random() % 1000) + ",";
  const auto page = [&] { return "<html><body><p>x</p><script>[" + state + "]</script></body></html>"; };
  std::vector<Bytes> pages;
  for (int i = 0; i < 60; ++i) {
    state.replace(random() % (state.size() - 10), 3, "123");
    pages.push_back(page());
    test.add(kUrl, pages.back(), day(i));
  }
  for (int i = 0; i < 60; ++i) REQUIRE(test.page(kUrl, day(i)) == pages[static_cast<std::size_t>(i)]);
  for (const auto& [kind, stats] : must(test.snapshot().stats()).kinds) {
    if (kind == ObjectKind::list) CHECK(stats.stored_bytes < stats.bytes / 5);
  }
  test.require_clean();
}
