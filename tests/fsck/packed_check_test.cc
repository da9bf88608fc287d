// What damage to packs costs, shares of versions, and checks beside packing.
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <thread>

#include "engine/pack_archive.h"
#include "pack/pack.h"
#include "refs/hot_file.h"
#include "tests/fsck/archive_copy.h"
#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

namespace fs = std::filesystem;

// Damages the last frame of a type in the first pack.
void damage_frame(const ArchiveCopy& copy, FrameType type) {
  const std::string name = copy.packs().at(0);
  const auto pack = must(Pack::open(posix_files(), copy.path() + "/" + name, std::make_shared<FrameCache>(1 << 20)));
  std::string bytes = copy.read(name);
  for (const FrameEntry& frame : pack->directory().frames) {
    if (frame.type == type) bytes[frame.offset] = static_cast<char>(bytes[frame.offset] ^ 1);
  }
  copy.write(name, bytes);
}

std::vector<std::string> messages_of(const FsckReport& report, const std::string& id) {
  std::vector<std::string> messages;
  for (const Finding& finding : report.findings) {
    if (finding.id == id) messages.push_back(finding.message);
  }
  return messages;
}

TEST_CASE("a damaged frame names the captures that it costs, with the quick check as with the full one") {
  const ArchiveCopy copy(true);
  SECTION("blocks") {
    damage_frame(copy, FrameType::content);
    for (const bool full : {false, true}) {
      const FsckReport report = copy.check(full);
      INFO(text_of(report));
      // Everything in the first pack, and what the second pack and the loose capture take from it.
      CHECK(messages_of(report, "version-unreadable").size() == 11);
      CHECK(text_of(report).find(std::string(kOtherUrl) + " captured " + format_rfc3339(copy_time(1))) !=
            std::string::npos);
    }
  }
  SECTION("versions") {
    damage_frame(copy, FrameType::recipe);
    for (const bool full : {false, true}) {
      const FsckReport report = copy.check(full);
      INFO(text_of(report));
      CHECK(messages_of(report, "version-unreadable").size() >= 7);
      CHECK(messages_of(report, "version-unreadable").size() < 11);
    }
  }
  SECTION("metadata") {
    damage_frame(copy, FrameType::metadata);
    for (const bool full : {false, true}) {
      const FsckReport report = copy.check(full);
      INFO(text_of(report));
      CHECK(messages_of(report, "version-unreadable").empty());
      CHECK(messages_of(report, "metadata-unreadable").size() == 2);
    }
  }
  SECTION("the index costs nothing by itself") {
    damage_frame(copy, FrameType::recipe_index);
    for (const Finding& finding : copy.check(false).findings) {
      if (finding.id == "pack-index-wrong") CHECK(finding.severity == Severity::derived);
    }
  }
}

TEST_CASE("a missing pack costs the captures of its versions") {
  const ArchiveCopy copy(true);
  fs::remove(copy.path() + "/" + copy.packs().at(1));
  const FsckReport report = copy.check();
  INFO(text_of(report));
  CHECK(messages_of(report, "pack-missing").size() == 1);
  // Its three versions; what is loose does not lean on packs.
  CHECK(messages_of(report, "version-unreadable").size() == 3);
}

TEST_CASE("a sample puts a share of the versions together, the same ones for the same seed") {
  TestArchive archive;
  for (int i = 0; i < 200; ++i) {
    archive.add("https://example.com/", "<p>" + std::to_string(i) + "</p>", Time::from_seconds(1'700'000'000 + i));
    if (i == 150) must(pack_archive(archive.archive(), {}));
  }
  FsckOptions options;
  const auto rebuilt = [&](double share, std::uint64_t seed) {
    options.sample = share;
    options.seed = seed;
    const FsckReport report = must(check_archive(archive.path(), options));
    CHECK(report.findings.empty());
    return report.rebuilt;
  };
  CHECK(rebuilt(0, 1) == 0);
  CHECK(rebuilt(1, 1) == 200);
  const std::uint64_t quarter = rebuilt(0.25, 1);
  CHECK(quarter > 20);
  CHECK(quarter < 80);
  CHECK(rebuilt(0.25, 1) == quarter);
  std::set<std::uint64_t> counts;
  for (std::uint64_t seed = 0; seed < 8; ++seed) counts.insert(rebuilt(0.25, seed));
  CHECK(counts.size() > 1);
}

TEST_CASE("the tables that current names are checked, and others are leftovers") {
  TestArchive archive;
  archive.add("https://example.com/", "<p>a page</p>", Time::from_seconds(1'700'000'000));
  const std::string old_tables = archive.path() + "/" + kHotFile;
  const TemporaryDirectory aside;
  fs::copy(old_tables, aside.file("tables"));
  PackOptions all;
  all.all = true;
  must(pack_archive(archive.archive(), all));
  CHECK(must(check_archive(archive.path())).findings.empty());
  REQUIRE(!fs::exists(old_tables));
  fs::rename(aside.file("tables"), old_tables);
  const FsckReport report = must(check_archive(archive.path()));
  CHECK(ids_of(report) == std::set<std::string>{"tmp-leftover"});
  SECTION("without current, the newest one is looked at") {
    fs::remove(old_tables);
    fs::remove(archive.path() + "/" + kCurrentFile);
    const FsckReport without = must(check_archive(archive.path()));
    CHECK(ids_of(without) == std::set<std::string>{"current-damaged"});
    CHECK(without.versions == 1);
  }
}

TEST_CASE("an archive is clean at every moment while captures go in and everything is packed again and again") {
  TestArchive archive;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; i < 60; ++i) {
      archive.add("https://example.com/" + std::to_string(i % 3), sample_page(4, i % 4, std::to_string(i)),
                  Time::from_seconds(1'600'000'000 + i));
      PackOptions options;
      options.all = i % 4 == 3;
      options.threads = 1;
      if (i % 2 == 1) must(pack_archive(archive.archive(), options));
    }
    stop = true;
  });
  std::string problem;
  do {
    FsckOptions options;
    options.full = true;
    const auto report = check_archive(archive.path(), options);
    if (!report) problem = report.error().message;
    if (report && !report->clean()) problem = text_of(*report);
  } while (!stop && problem.empty());
  writer.join();
  CHECK(problem == "");
  archive.require_clean();
  CHECK(must(check_archive(archive.path())).observations == 60);
}

}  // namespace
}  // namespace blockarch
