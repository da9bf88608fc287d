#include "engine/names.h"

#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

const Time kNow = Time::from_seconds(1'800'000'000);

Time on(const char* date) {
  return must(parse_time(date, DateEnd::first, kNow));
}

std::string time_of(const Snapshot& s, std::string_view name) {
  return format_rfc3339(std::get<CaptureInfo>(must(resolve_name(s, name, kNow))).time);
}

ErrorCode failure(const Snapshot& s, std::string_view name) {
  const auto resolved = resolve_name(s, name, kNow);
  REQUIRE_FALSE(resolved.has_value());
  return resolved.error().code;
}

}  // namespace

TEST_CASE("names lead to captures") {
  TestArchive test;
  test.add("https://example.com/", "one", on("2024-01-01"));
  test.add("https://example.com/", "two", on("2024-02-01"));
  test.add("https://example.com/", "two", on("2024-03-01"));
  test.add("https://example.com/", "three", on("2024-04-01T12:00:00Z"));
  const Snapshot s = test.snapshot();
  CHECK(time_of(s, "https://example.com/") == "2024-04-01T12:00:00Z");
  CHECK(time_of(s, "https://example.com/@2024-02-15") == "2024-02-01T00:00:00Z");
  CHECK(time_of(s, "https://example.com/@2024-04-01") == "2024-04-01T12:00:00Z");
  CHECK(time_of(s, "https://example.com/@20240301") == "2024-03-01T00:00:00Z");
  CHECK(time_of(s, "https://example.com/@@1709251200") == "2024-03-01T00:00:00Z");
  CHECK(time_of(s, "https://example.com/@@1709251199") == "2024-02-01T00:00:00Z");
  CHECK(time_of(s, "https://example.com/~1") == "2024-02-01T00:00:00Z");
  CHECK(time_of(s, "https://example.com/~2") == "2024-01-01T00:00:00Z");
  CHECK(time_of(s, "https://example.com/@2024-03-15~1") == "2024-01-01T00:00:00Z");
  CHECK(failure(s, "https://example.com/~3") == ErrorCode::not_found);
  CHECK(failure(s, "https://example.com/@2023") == ErrorCode::not_found);
  CHECK(failure(s, "https://example.org/") == ErrorCode::not_found);
  CHECK(failure(s, "https://example.org/@2024-01-01") == ErrorCode::not_found);
  CHECK(failure(s, "nonsense") == ErrorCode::invalid);
  CHECK(failure(s, "") == ErrorCode::invalid);
}

TEST_CASE("URLs may contain the signs that names use") {
  TestArchive test;
  test.add("https://social.example/@user", "profile", on("2024-01-01"));
  test.add("https://social.example/@2024", "year", on("2024-01-02"));
  test.add("https://u:p@host.example/~1", "home", on("2024-01-03"));
  const Snapshot s = test.snapshot();
  CHECK(time_of(s, "https://social.example/@user") == "2024-01-01T00:00:00Z");
  CHECK(time_of(s, "https://social.example/@user@2024-06") == "2024-01-01T00:00:00Z");
  CHECK(time_of(s, "https://social.example/@2024") == "2024-01-02T00:00:00Z");
  CHECK(time_of(s, "https://social.example/@2024@20240102") == "2024-01-02T00:00:00Z");
  CHECK(time_of(s, "https://u:p@host.example/~1") == "2024-01-03T00:00:00Z");
  CHECK(time_of(s, "https://u:p@host.example/~1~0") == "2024-01-03T00:00:00Z");
}

TEST_CASE("a tag may stand for a date") {
  TestArchive test;
  test.add("https://example.com/", "one", on("2024-01-01"));
  test.add("https://example.com/", "two", on("2024-02-01"));
  {
    Writer writer = must(test.archive().writer());
    must(writer.put_tag({"before", on("2024-01-15"), kNow, ""}, false));
  }
  const Snapshot s = test.snapshot();
  CHECK(time_of(s, "https://example.com/@before") == "2024-01-01T00:00:00Z");
  CHECK(must(resolve_time(s, "before", DateEnd::last, kNow)) == on("2024-01-15"));
  CHECK(resolve_time(s, "after", DateEnd::last, kNow).error().code == ErrorCode::invalid);
}

TEST_CASE("hexadecimal digits name objects") {
  TestArchive test;
  const CaptureOutcome outcome = test.add("https://example.com/", "one", on("2024-01-01"));
  const Snapshot s = test.snapshot();
  const ObjectId id = std::get<ObjectId>(must(resolve_name(s, outcome.version.hash.hex().substr(0, 10), kNow)));
  CHECK(id == ObjectId(outcome.version));
  CHECK(failure(s, "0123456789abcdef") == ErrorCode::not_found);
}

TEST_CASE("a near spelling is named when a URL is not there") {
  TestArchive test;
  test.add("https://www.example.com/a/", "one", on("2024-01-01"));
  const Snapshot s = test.snapshot();
  for (const char* url : {"http://www.example.com/a/", "https://www.example.com/a", "https://example.com/a/"}) {
    const auto found = s.find_url(url);
    INFO(url);
    CHECK(found.error().code == ErrorCode::not_found);
    CHECK(found.error().message.find("https://www.example.com/a/ is") != std::string::npos);
  }
}
