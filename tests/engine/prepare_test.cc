// Captures prepared by many threads and added by one.
#include <fmt/format.h>

#include <deque>
#include <thread>

#include "base/url.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

constexpr int kPages = 60;

// Each differs from the one before by a paragraph; every third comes back unchanged.
Bytes page_number(int n) {
  n -= n % 3 == 2 ? 1 : 0;
  Bytes page = "<html><body>";
  for (int i = 0; i < 40; ++i) {
    page += fmt::format("<div><p>Paragraph {} {}</p><p>{}</p></div>", i, i == n % 40 ? n : 0, std::string(300, 'x'));
  }
  return page + "</body></html>";
}

CaptureRequest request_for(int n, ByteView payload) {
  CaptureRequest request;
  request.url = fmt::format("https://example.org/{}", n % 2);
  request.payload = payload;
  request.time = Time{n * 1'000'000};
  request.content_type = "text/html; charset=utf-8";
  request.metadata = {{"http-head", fmt::format("HTTP/1.1 200 OK\r\nServer: made up for tests\r\nDate: {}\r\n", n)}};
  return request;
}

std::vector<VersionId> versions_of(TestArchive& archive) {
  std::vector<VersionId> ids;
  for (const char* url : {"https://example.org/0", "https://example.org/1"}) {
    for (const LogEntry& entry : archive.log(url, {.unchanged = true})) ids.push_back(entry.version);
  }
  return ids;
}

}  // namespace

TEST_CASE("captures prepared by four threads give the archive that one thread gives") {
  std::deque<Bytes> pages;
  for (int n = 0; n < kPages; ++n) pages.push_back(page_number(n));

  TestArchive plain;
  for (int n = 0; n < kPages; ++n) plain.add(request_for(n, pages[n]));

  TestArchive threaded;
  {
    Writer writer = must(threaded.archive().writer());
    std::vector<std::optional<Result<PreparedCapture>>> prepared(kPages);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int n = t; n < kPages; n += 4) prepared[n].emplace(writer.prepare(request_for(n, pages[n])));
      });
    }
    for (auto& thread : threads) thread.join();
    for (int n = 0; n < kPages; ++n) {
      must(writer.add(must(std::move(*prepared[n]))));
      if (n % 7 == 0) must(writer.commit());
    }
    must(writer.commit());
  }
  CHECK(versions_of(plain) == versions_of(threaded));
  for (int n = 0; n < kPages; ++n) {
    CHECK(threaded.page(fmt::format("https://example.org/{}", n % 2), Time{n * 1'000'000}) == pages[n]);
  }
  plain.require_clean();
  threaded.require_clean();
}

TEST_CASE("a page whose first preparation was thrown away is cut when the second one is added") {
  TestArchive archive;
  const Bytes page = page_number(1);
  {
    Writer writer = must(archive.archive().writer());
    { const PreparedCapture dropped = must(writer.prepare(request_for(1, page))); }
    must(writer.add(must(writer.prepare(request_for(3, page)))));
    must(writer.commit());
  }
  CHECK(archive.page("https://example.org/1", Time{3'000'000}) == page);
  archive.require_clean();
}

TEST_CASE("metadata never depends on that of a duplicate, which is not stored") {
  TestArchive archive;
  const Bytes page = page_number(1);
  archive.add("https://example.org/1", page, Time{1'000'000}, "text/html; charset=utf-8");
  {
    Writer writer = must(archive.archive().writer());
    must(writer.add(request_for(1, page)));  // the same capture, now with metadata
    must(writer.add(request_for(3, page)));
    const auto outcomes = must(writer.commit());
    CHECK(outcomes[0].change == CaptureChange::duplicate);
    CHECK(outcomes[1].change == CaptureChange::unchanged);
  }
  const auto entries = archive.log("https://example.org/1", {.unchanged = true});
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].metadata.entries == request_for(3, page).metadata);
  archive.require_clean();
}

TEST_CASE("metadata that two URLs share can be what both go on from") {
  TestArchive archive;
  const auto head = [](int n) {
    std::string fields = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 40; ++i) fields += fmt::format("X-Field-{}: {:x}\r\n", i, i * 0x9e3779b97f4a7c15);
    return fields + fmt::format("Date: {}\r\n", n);
  };
  const auto request = [&](const std::string& url, int second, int n) {
    CaptureRequest made = request_for(0, "<p>page</p>");
    made.url = url;
    made.time = Time::from_seconds(second);
    made.metadata = {{"http-head", head(n)}};
    return made;
  };
  Writer writer = must(archive.archive().writer());
  // One URL comes to number 9 after nine differences, the other at once; both go on from there.
  for (int n = 0; n < 10; ++n) must(writer.add(request("https://example.org/long", n, n)));
  for (const int n : {9, 20, 21}) must(writer.add(request("https://example.org/short", n, n)));
  must(writer.commit());
  for (const int n : {22, 9, 23}) must(writer.add(request("https://example.org/third", n, n)));
  must(writer.commit());
  CHECK(archive.log("https://example.org/short", {.unchanged = true}).front().metadata.entries[0].second == head(21));
  archive.require_clean();
}

TEST_CASE("metadata that changes by a date costs its difference") {
  TestArchive archive;
  const Bytes page = page_number(1);
  const auto head = [](int n) {
    std::string fields = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 40; ++i) fields += fmt::format("X-Field-{}: {:x}\r\n", i, i * 0x9e3779b97f4a7c15);
    return fields + fmt::format("Date: {}\r\n", n);
  };
  for (int n = 0; n < 50; ++n) {
    CaptureRequest request = request_for(2 * n + 1, page);
    request.metadata = {{"http-head", head(n)}};
    archive.add(request);
  }
  for (const auto& [kind, use] : must(archive.snapshot().stats()).kinds) {
    if (kind != ObjectKind::metadata) continue;
    CHECK(use.objects == 50);
    CHECK(use.stored_bytes < 50 * 140);
    CHECK(use.bytes > 50 * 1000);
  }
  archive.require_clean();
}
