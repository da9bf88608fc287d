// One page with 22,620 versions: history length must not cost.
#include <random>

#include "base/hash.h"
#include "tests/corpus/corpus_reader.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

TEST_CASE("a page with tens of thousands of versions is kept and read back", "[corpus]") {
  const auto path = corpus_file("chain.warc.zst");
  if (!path) SKIP("skipped: the corpus chain is not here");
  TestArchive test;
  std::string url;
  std::vector<std::pair<Time, Hash256>> captures;
  {
    Writer writer = must(test.archive().writer());
    for_each_capture(*path, [&](const WarcCapture& c) {
      CaptureRequest request;
      request.url = url = c.url;
      request.time = c.time;
      request.payload = c.payload;
      request.content_type = c.content_type;
      must(writer.add(request));
      captures.emplace_back(c.time, blake3(c.payload));
      if (writer.pending_bytes() > (std::uint64_t{32} << 20)) must(writer.commit());
    });
    must(writer.commit());
  }
  REQUIRE(captures.size() == 22'620);

  const Snapshot snapshot = test.snapshot();
  const UrlNumber number = must(snapshot.find_url(url));
  std::size_t entries = 0;
  must(snapshot.log(number, {.unchanged = true}, [&](const LogEntry&) { return ++entries, true; }));
  CHECK(entries == captures.size());
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto& [time, hash] = captures[random() % captures.size()];
    REQUIRE(blake3(must(snapshot.page(must(snapshot.capture_at(number, time)))).bytes) == hash);
  }
  WARN("22,620 versions take " << must(snapshot.stats()).disk_bytes << " bytes");
}
