#include "fsck/fsck.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <thread>

#include "base/coding.h"
#include "fsck/finding_log.h"
#include "objects/loose_store.h"
#include "tests/fsck/archive_copy.h"
#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

namespace fs = std::filesystem;

TEST_CASE("an archive that was just made is clean") {
  TestArchive archive;
  archive.require_clean();
  const FsckReport report = must(check_archive(archive.path()));
  CHECK(report.findings.empty());
  CHECK(report.objects == 0);
}

TEST_CASE("there is no archive to check in a missing or empty directory, or in a file") {
  const TemporaryDirectory directory;
  const auto code = [](const std::string& path) {
    const auto report = check_archive(path);
    REQUIRE(!report);
    return report.error().code;
  };
  CHECK(code(directory.file("none")) == ErrorCode::no_archive);
  CHECK(code(directory.path()) == ErrorCode::no_archive);
  const ArchiveCopy copy;
  CHECK(code(copy.path() + "/format") == ErrorCode::no_archive);
}

TEST_CASE("an archive of a newer format is not judged") {
  const ArchiveCopy copy;
  copy.write("format", "blockarch archive 2\nhash whirlpool\n");
  const auto report = check_archive(copy.path());
  REQUIRE(!report);
  CHECK(report.error().code == ErrorCode::unsupported);
  CHECK(report.error().message.find("archive format 2 is newer than this program knows (1): use a newer blockarch") !=
        std::string::npos);
}

TEST_CASE("the tables are checked although the format file is gone") {
  const ArchiveCopy copy;
  fs::remove(copy.path() + "/format");
  const FsckReport report = copy.check();
  CHECK(ids_of(report) == std::set<std::string>{"format-damaged"});
  CHECK(report.versions == 7);
}

TEST_CASE("something else in the place of hot.mdb is damage") {
  const ArchiveCopy copy;
  SECTION("a directory") {
    fs::remove(copy.hot());
    fs::create_directory(copy.hot());
  }
  SECTION("an empty file") {
    copy.write("hot.mdb", "");
  }
  SECTION("text") {
    copy.write("hot.mdb", std::string(100'000, 'x'));
  }
  SECTION("zeros") {
    copy.write("hot.mdb", std::string(100'000, '\0'));
  }
  const FsckReport report = copy.check();
  CHECK(ids_of(report) == std::set<std::string>{"hot-page-damaged"});
}

TEST_CASE("pages are put together only in a full check") {
  const ArchiveCopy copy;
  std::set<std::string> stages;
  FsckOptions options;
  options.progress = [&](const char* stage, std::uint64_t done, std::uint64_t total) {
    CHECK(done <= total);
    stages.insert(stage);
  };
  must(check_archive(copy.path(), options));
  CHECK(stages == std::set<std::string>{"objects", "versions", "urls", "histories", "payload index"});
  options.full = true;
  must(check_archive(copy.path(), options));
  CHECK(stages.contains("pages"));
}

TEST_CASE("a check changes no file of the archive") {
  const ArchiveCopy copy;
  const std::string before = copy.read(kHotFile);
  copy.check();
  CHECK(copy.read(kHotFile) == before);
}

TEST_CASE("an object whose base is damaged is reported with it, and so are the captures of both") {
  const ArchiveCopy copy;
  copy.change([](WriteTransaction& t, const Tables& tables) {
    Cursor cursor = must(t.cursor(tables.objects));
    for (auto at = must(cursor.first()); at; at = must(cursor.next())) {
      const auto stored = must(LooseStore::describe(at->value));
      if (!stored.base) continue;
      Bytes base(*must(t.get(tables.objects, stored.base->view())));
      base.back() = static_cast<char>(base.back() ^ 0x55);
      must(t.put(tables.objects, stored.base->view(), base));
      return;
    }
    FAIL("nothing is stored as a difference");
  });
  const FsckReport report = copy.check();
  INFO(text_of(report));
  int damaged = 0;
  int unreadable = 0;
  for (const Finding& finding : report.findings) {
    damaged += finding.id == "object-damaged";
    unreadable += finding.id == "version-unreadable";
  }
  CHECK(damaged >= 2);
  CHECK(unreadable >= 2);
}

TEST_CASE("findings of one kind are listed up to a limit and then counted") {
  FindingLog log;
  for (std::uint64_t i = 0; i < kMaxFindingsOfKind + 5; ++i) log.add(findings::kFileUnknown, "x");
  log.add(findings::kHotMissing, "y");
  const auto all = log.take();
  CHECK(all.size() == kMaxFindingsOfKind + 2);
  CHECK(all.back().id == "file-unknown");
  CHECK(all.back().message == "and 5 more of this kind");
  CHECK(log.empty());
}

TEST_CASE("an archive is clean at every moment while captures go in") {
  TestArchive archive;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; i < 150; ++i) {
      archive.add("https://example.com/" + std::to_string(i % 7), sample_page(4, i % 4, std::to_string(i)),
                  Time::from_seconds(1'600'000'000 + i));
    }
    stop = true;
  });
  int checks = 0;
  do {
    FsckOptions options;
    options.full = true;
    const auto report = check_archive(archive.path(), options);
    if (!report || !report->findings.empty()) {
      stop = true;
      writer.join();
      FAIL((report ? text_of(*report) : report.error().message));
    }
    ++checks;
  } while (!stop);
  writer.join();
  archive.require_clean();
  CHECK(checks >= 1);
  CHECK(must(check_archive(archive.path())).observations == 150);
}

}  // namespace
}  // namespace blockarch
