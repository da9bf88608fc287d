#include "transfer/import.h"

#include <fmt/format.h>

#include <filesystem>

#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"
#include "tests/transfer/made_source.h"

using namespace blockarch;

namespace {

constexpr std::size_t kMany = 400;

std::vector<MadeCapture> many_captures() {
  std::vector<MadeCapture> captures;
  for (std::size_t n = 0; n < kMany; ++n) {
    // Every page three times in a row.
    captures.push_back({fmt::format("https://example.org/{}", n % 5), static_cast<std::int64_t>(n),
                        sample_page(30, static_cast<int>(n / 15 % 30), fmt::format("edit {}", n / 15))});
  }
  return captures;
}

std::vector<std::string> whole_log(TestArchive& archive) {
  std::vector<std::string> lines;
  const Snapshot snapshot = archive.snapshot();
  must(snapshot.urls({}, [&](const UrlSummary& url) {
    must(snapshot.log(url.number, {.unchanged = true}, [&](const LogEntry& entry) {
      lines.push_back(url.url + " " + format_rfc3339(entry.time) + " " + entry.version.hash.hex());
      return true;
    }));
    return true;
  }));
  return lines;
}

ImportSummary import(TestArchive& archive, CaptureSource& source, const ImportOptions& options = {}) {
  return must(import_captures(archive.archive(), source, options));
}

ImportSummary import(TestArchive& archive, std::vector<MadeCapture> captures, const ImportOptions& options = {}) {
  MadeSource source(std::move(captures));
  return import(archive, source, options);
}

}  // namespace

TEST_CASE("an import with many threads and small batches gives what one with one thread gives") {
  TestArchive one;
  const ImportSummary summary = import(one, many_captures(), {.threads = 1});
  CHECK(summary.captures == kMany);
  CHECK(summary.first == 5);
  CHECK(summary.first + summary.changed + summary.unchanged == kMany);
  CHECK(summary.new_pages == 27);
  CHECK(summary.is_complete());

  TestArchive many;
  ImportOptions options;
  options.threads = 7;
  options.batch_bytes = 4096;
  options.queue_bytes = 20'000;
  import(many, many_captures(), options);
  CHECK(whole_log(one) == whole_log(many));
  one.require_clean();
  many.require_clean();
}

TEST_CASE("an import that packs again and again on its way gives the same") {
  TestArchive plain;
  import(plain, many_captures(), {.pack_at = 0});
  TestArchive packed;
  ImportOptions options;
  options.threads = 5;
  options.batch_bytes = 4096;
  options.queue_bytes = 20'000;
  options.pack_at = 1;
  const ImportSummary summary = import(packed, many_captures(), options);
  CHECK(summary.captures == kMany);
  CHECK(summary.seconds.packing > 0);
  CHECK(whole_log(plain) == whole_log(packed));
  CHECK(std::filesystem::exists(packed.path() + "/packs"));
  plain.require_clean();
  packed.require_clean();
}

TEST_CASE("a profile cuts every page of an import alike, whatever the batches") {
  ImportOptions options;
  options.segmenter = "btls";
  options.profile = "paper,latin";
  options.threads = 1;
  TestArchive one;
  import(one, many_captures(), options);
  options.threads = 3;
  options.batch_bytes = 4096;
  TestArchive many;
  import(many, many_captures(), options);
  CHECK(whole_log(one) == whole_log(many));
  CHECK(import(many, many_captures(), options).duplicates == kMany);
  options.profile.clear();
  TestArchive other;
  import(other, many_captures(), options);
  CHECK(whole_log(one) != whole_log(other));
  many.require_clean();
}

TEST_CASE("an import that is run again adds nothing") {
  TestArchive archive;
  import(archive, many_captures());
  const auto before = whole_log(archive);
  const ImportSummary again = import(archive, many_captures());
  CHECK(again.duplicates == kMany);
  CHECK(again.captures == kMany);
  CHECK(again.new_objects == 0);
  CHECK(whole_log(archive) == before);
  archive.require_clean();
}

TEST_CASE("an import that is stopped keeps what it has and goes on when run again") {
  TestArchive whole;
  import(whole, many_captures());

  TestArchive archive;
  std::atomic<bool> stop = false;
  MadeSource source(many_captures());
  source.before_next = [&](std::size_t position) { stop = position == 299; };
  const ImportSummary first = import(archive, source, {.stop = &stop});
  CHECK(first.stopped);
  CHECK(first.captures == 300);
  CHECK(!first.is_complete());
  archive.require_clean();

  const ImportSummary second = import(archive, many_captures());
  CHECK(second.duplicates == 300);
  CHECK(whole_log(archive) == whole_log(whole));
  archive.require_clean();
}

TEST_CASE("a read error in the middle keeps what came before it and is told") {
  TestArchive archive;
  MadeSource source(many_captures());
  source.fail_at = 123;
  const ImportSummary summary = import(archive, source);
  CHECK(summary.captures == 123);
  CHECK(summary.failure == "cannot read made: the disk is gone");
  CHECK(!summary.is_complete());
  archive.require_clean();
}

TEST_CASE("the failure of a worker ends the import and loses nothing that was committed") {
  TestArchive archive;
  ImportOptions options;
  options.batch_bytes = 1;
  options.before_prepare = [](const DecodedCapture& capture) -> Result<void> {
    if (capture.time < Time::from_seconds(200)) return {};
    return Error{ErrorCode::io, "out of order"};
  };
  MadeSource source(many_captures());
  const auto result = import_captures(archive.archive(), source, options);
  REQUIRE(!result);
  CHECK(result.error().message == "out of order");
  CHECK(whole_log(archive).size() >= 64);
  archive.require_clean();
  import(archive, many_captures());
  CHECK(whole_log(archive).size() == kMany);
}

TEST_CASE("captures that cannot be stored are reported and the others are stored") {
  TestArchive archive;
  auto captures = many_captures();
  captures[7].url = "no url";
  captures[9].problem = Problem{ProblemKind::bad_digest, "made", 9, "does not fit"};
  std::vector<Problem> problems;
  ImportOptions options;
  options.on_problem = [&](const Problem& problem) { problems.push_back(problem); };
  const ImportSummary summary = import(archive, captures, options);
  CHECK(summary.captures == kMany - 1);
  CHECK(summary.lost_records == 1);
  REQUIRE(problems.size() == 2);
  CHECK(summary.problems == 2);
  CHECK(!summary.is_complete());
  archive.require_clean();
}

TEST_CASE("what cannot cut any page ends an import before it begins") {
  TestArchive archive;
  MadeSource source(many_captures());
  const auto refused = [&](const std::string& segmenter, int level, const std::string& profile) {
    ImportOptions options;
    options.segmenter = segmenter;
    options.level = level;
    options.profile = profile;
    return import_captures(archive.archive(), source, options).error().code;
  };
  CHECK(refused("nobody", 0, "") == ErrorCode::not_found);
  CHECK(refused("bwap", 1000, "") == ErrorCode::invalid);
  CHECK(refused("bwap", 0, "1999") == ErrorCode::invalid);
  CHECK(refused("", 0, "modern") == ErrorCode::invalid);
}

TEST_CASE("a revisit is found by digest, by name and date, and where its original comes later") {
  TestArchive archive;
  const Bytes a = sample_page(20, 1, "a");
  const Bytes b = sample_page(20, 1, "b");
  const std::string sha1_of_nothing_here = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  const std::string digest_a = "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  std::vector<MadeCapture> captures = {
      {"https://example.org/late", 5, {}, {}, RepeatOf{digest_a, "", {}}},
      {"https://example.org/a", 10, a, digest_a},
      {"https://example.org/b", 20, b},
      {"https://example.org/a", 30, {}, {}, RepeatOf{digest_a, "", {}}},
      {"https://example.org/other", 40, {}, {}, RepeatOf{"", "https://example.org/b", Time::from_seconds(20)}},
      {"https://example.org/b", 50, {}, {}, RepeatOf{"", "", {}}},  // not modified since
      {"https://example.org/b", 60, {}, {}, RepeatOf{sha1_of_nothing_here, "", {}}},
      {"https://example.org/never", 70, {}, {}, RepeatOf{"", "", {}}},
  };
  const ImportSummary summary = import(archive, captures);
  CHECK(summary.repeats == 4);
  CHECK(summary.unresolved == 2);
  REQUIRE(summary.unresolved_list.size() == 2);
  CHECK(summary.unresolved_list[0].url == "https://example.org/b");
  CHECK(!summary.is_complete());
  CHECK(archive.page("https://example.org/late", Time::from_seconds(5)) == a);
  CHECK(archive.page("https://example.org/a", Time::from_seconds(30)) == a);
  CHECK(archive.page("https://example.org/other", Time::from_seconds(40)) == b);
  CHECK(archive.log("https://example.org/b", {.unchanged = true}).size() == 2);
  archive.require_clean();
}

TEST_CASE("a second import is told that another one is at work") {
  TestArchive archive;
  const Writer writer = must(archive.archive().writer());
  MadeSource source(many_captures());
  const auto result = import_captures(archive.archive(), source, {.wait = std::chrono::milliseconds(10)});
  REQUIRE(!result);
  CHECK(result.error().code == ErrorCode::locked);
}
