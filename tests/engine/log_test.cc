#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

constexpr char kUrl[] = "https://example.com/";

Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * 86'400);
}

// a a b b b a c, one a day.
struct History {
  TestArchive test;
  History() {
    int n = 0;
    for (const char* page : {"a", "a", "b", "b", "b", "a", "c"}) test.add(kUrl, page, day(n++));
  }
};

std::string summary(const std::vector<LogEntry>& entries) {
  std::string text;
  for (const LogEntry& e : entries) {
    text += std::to_string((e.time.micros - day(0).micros) / 86'400'000'000) + (e.changed ? "+" : "=") +
            std::to_string(e.repeats) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("the log folds unchanged captures into the one before them") {
  History h;
  CHECK(summary(h.test.log(kUrl)) == "6+0 5+0 2+2 0+1 ");
  CHECK(summary(h.test.log(kUrl, {.oldest_first = true})) == "0+1 2+2 5+0 6+0 ");
  CHECK(h.test.log(kUrl)[2].last_seen == day(4));
  CHECK(h.test.log(kUrl)[0].last_seen == day(6));
}

TEST_CASE("the log shows every capture when asked") {
  History h;
  CHECK(summary(h.test.log(kUrl, {.unchanged = true})) == "6+0 5+0 4=0 3=0 2+0 1=0 0+0 ");
  CHECK(summary(h.test.log(kUrl, {.unchanged = true, .oldest_first = true})) == "0+0 1=0 2+0 3=0 4=0 5+0 6+0 ");
}

TEST_CASE("limits and spans cut the log where they say") {
  History h;
  CHECK(summary(h.test.log(kUrl, {.limit = 2})) == "6+0 5+0 ");
  CHECK(summary(h.test.log(kUrl, {.limit = 3, .oldest_first = true})) == "0+1 2+2 5+0 ");
  CHECK(summary(h.test.log(kUrl, {.until = day(4)})) == "2+2 0+1 ");
  CHECK(summary(h.test.log(kUrl, {.until = day(3)})) == "2+1 0+1 ");
  CHECK(summary(h.test.log(kUrl, {.since = day(2), .until = day(5)})) == "5+0 2+2 ");
  CHECK(h.test.log(kUrl, {.since = day(7)}).empty());
  CHECK(h.test.log(kUrl, {.until = Time{day(0).micros - 1}}).empty());
}

TEST_CASE("a version that came before the span is one unchanged entry in it") {
  History h;
  CHECK(summary(h.test.log(kUrl, {.since = day(3)})) == "6+0 5+0 3=1 ");
  CHECK(summary(h.test.log(kUrl, {.since = day(3), .oldest_first = true})) == "3=1 5+0 6+0 ");
}

TEST_CASE("a caller may stop the log") {
  History h;
  const Snapshot s = h.test.snapshot();
  int calls = 0;
  must(s.log(must(s.find_url(kUrl)), {}, [&](const LogEntry&) { return ++calls < 2; }));
  CHECK(calls == 2);
}
