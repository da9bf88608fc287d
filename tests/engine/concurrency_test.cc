#include <atomic>
#include <thread>

#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

TEST_CASE("readers in other threads see whole captures while a writer adds them") {
  TestArchive test;
  constexpr char kUrl[] = "https://example.com/";
  constexpr int kCaptures = 60;
  test.add(kUrl, sample_page(20, 0, "v0"), Time::from_seconds(0));
  std::atomic<bool> stop = false;
  std::atomic<int> failures = 0;
  std::atomic<int> reads = 0;
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      while (!stop) {
        const auto snapshot = test.archive().snapshot();
        if (!snapshot) {
          ++failures;
          continue;
        }
        const auto url = snapshot->find_url(kUrl);
        const auto capture = snapshot->last_capture(*url);
        const auto page = capture ? snapshot->page(*capture) : Result<Page>(capture.error());
        const auto version = capture ? capture->time.micros / 1'000'000 : 0;
        if (!page || page->bytes != sample_page(20, 0, "v" + std::to_string(version))) ++failures;
        ++reads;
      }
    });
  }
  for (int i = 1; i < kCaptures; ++i)
    test.add(kUrl, sample_page(20, 0, "v" + std::to_string(i)), Time::from_seconds(i));
  while (reads < 20) std::this_thread::yield();
  stop = true;
  for (std::thread& t : readers) t.join();
  CHECK(failures == 0);
  CHECK(test.log(kUrl).size() == kCaptures);
  test.require_clean();
}

TEST_CASE("a snapshot does not see what is committed after it") {
  TestArchive test;
  test.add("https://example.com/", "one", Time::from_seconds(0));
  const Snapshot before = test.snapshot();
  std::thread([&] { test.add("https://example.com/", "two", Time::from_seconds(1)); }).join();
  const UrlNumber url = must(before.find_url("https://example.com/"));
  CHECK(must(before.page(must(before.last_capture(url)))).bytes == "one");
  CHECK(test.page("https://example.com/", Time::from_seconds(1)) == "two");
}
