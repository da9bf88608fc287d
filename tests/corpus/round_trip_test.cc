// Every page of the corpora is captured, and every one comes back byte for byte.
#include <filesystem>
#include <map>
#include <unordered_set>

#include "base/hash.h"
#include "tests/corpus/corpus_reader.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

constexpr std::uint64_t kBatch = std::uint64_t{64} << 20;

// Puts captures in by batches and remembers what must come out.
class Round {
 public:
  explicit Round(TestArchive& test) : test_(test), writer_(must(test.archive().writer())) {}

  void add(const std::string& url, Time time, const std::string& type, ByteView payload, int level = 0) {
    CaptureRequest request;
    request.url = url;
    request.time = time;
    request.content_type = type;
    request.payload = payload;
    request.level = level;
    must(writer_->add(request));
    // Two captures of one moment: the later arrival shows.
    expected_[{url, time}] = blake3(payload);
    bytes_ += payload.size();
    if (writer_->pending_bytes() > kBatch) must(writer_->commit());
  }

  void check() {
    must(writer_->commit());
    writer_.reset();
    const Snapshot snapshot = test_.snapshot();
    for (const auto& [capture, hash] : expected_) {
      const UrlNumber url = must(snapshot.find_url(capture.first));
      const CaptureInfo found = must(snapshot.capture_at(url, capture.second));
      REQUIRE(found.time == capture.second);
      REQUIRE(blake3(must(snapshot.page(found)).bytes) == hash);
    }
    const ArchiveStats stats = must(snapshot.stats());
    WARN(expected_.size() << " captures of " << bytes_ << " bytes compared; the archive takes " << stats.disk_bytes
                          << " bytes");
    test_.require_clean();
  }

 private:
  TestArchive& test_;
  std::optional<Writer> writer_;
  std::map<std::pair<std::string, Time>, Hash256> expected_;
  std::uint64_t bytes_ = 0;
};

std::string required(const std::string& name) {
  const auto path = corpus_file(name);
  if (!path) SKIP("skipped: the corpus " << name << " is not here");
  return *path;
}

}  // namespace

TEST_CASE("every page of a set of files comes back byte for byte", "[corpus]") {
  for (const char* name : {"segments.tar.zst", "main-content.tar.zst"}) {
    const std::string path = required(name);
    TestArchive test;
    Round round(test);
    int n = 0;
    for_each_file(path, [&](const std::string&, const Bytes& bytes) {
      const std::string url = "https://corpus.example/" + std::to_string(n++);
      round.add(url, Time{}, "text/html", bytes);
      round.add(url + "/level-2", Time{}, "text/html", bytes, 2);
    });
    REQUIRE(n > 100);
    round.check();
  }
}

TEST_CASE("every capture of sites comes back byte for byte", "[corpus]") {
  const std::string path = required("sites.warc.zst");
  TestArchive test;
  Round round(test);
  for_each_capture(path, [&](const WarcCapture& c) { round.add(c.url, c.time, c.content_type, c.payload); });
  round.check();
}

TEST_CASE("every response of parliaments comes back byte for byte", "[corpus]") {
  const std::string path = required("parliaments.warc.zst");
  TestArchive test;
  Round round(test);
  for_each_capture(path, [&](const WarcCapture& c) { round.add(c.url, c.time, c.content_type, c.payload); });
  round.check();
}

TEST_CASE("every tenth capture of ota-demo comes back byte for byte", "[corpus]") {
  const std::string path = required("ota-demo.warc.zst");
  TestArchive test;
  Round round(test);
  int n = 0;
  for_each_capture(path, [&](const WarcCapture& c) {
    if (n++ % 10 == 0) round.add(c.url, c.time, c.content_type, c.payload);
  });
  round.check();
}

TEST_CASE("every payload in the WARC files of other tools comes back byte for byte", "[corpus]") {
  const std::string path = required("warcs.tar.zst");
  TestArchive test;
  Round round(test);
  int n = 0;
  const auto add = [&](ByteView bytes) {
    // As the type that is parsed hardest, and as what the bytes look like.
    const std::string url = "https://warcs.example/" + std::to_string(n++);
    round.add(url, Time{}, "text/html", bytes);
    round.add(url + "/sniffed", Time{}, "", bytes);
  };
  for_each_file(path, [&](const std::string&, const Bytes& bytes) {
    add(bytes);
    for_each_rough_payload(bytes, add);
  });
  REQUIRE(n > 168);
  round.check();
}
