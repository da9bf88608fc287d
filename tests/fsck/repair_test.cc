#include "fsck/repair.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "engine/pack_archive.h"
#include "pack/pack.h"
#include "refs/history.h"
#include "tests/fsck/archive_copy.h"
#include "tests/fsck/small_pack_archive.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

namespace fs = std::filesystem;

RepairReport repair(const std::string& path, bool drop_lost = false) {
  RepairOptions options;
  options.drop_lost = drop_lost;
  return must(repair_archive(path, options));
}

std::string text_of(const RepairReport& report) {
  std::string text;
  for (const std::string& action : report.actions) text += "did: " + action + "\n";
  for (const std::string& advice : report.advice) text += "advice: " + advice + "\n";
  return text + text_of(report.after);
}

void flip(const ArchiveCopy& copy, const std::string& name, std::size_t at) {
  std::string bytes = copy.read(name);
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 1);
  copy.write(name, bytes);
}

std::size_t place_of(const ArchiveCopy& copy, const std::string& name, FrameType type) {
  const auto pack = must(Pack::open(posix_files(), copy.path() + "/" + name, std::make_shared<FrameCache>(1 << 20)));
  for (const FrameEntry& frame : pack->directory().frames) {
    if (frame.type == type) return frame.offset;
  }
  FAIL("no such frame");
  return 0;
}

// Every capture of the model that can be read, with its page's size.
std::size_t count_readable(const std::string& path) {
  const Archive archive = must(Archive::open(path));
  const Snapshot snapshot = must(archive.snapshot());
  std::size_t count = 0;
  must(snapshot.urls({}, [&](const UrlSummary& url) {
    LogOptions all;
    all.unchanged = true;
    const auto number = must(snapshot.find_url(url.url));
    must(snapshot.log(number, all, [&](const LogEntry& entry) {
      if (snapshot.page(entry.version)) ++count;
      return true;
    }));
    return true;
  }));
  return count;
}

bool has_file(const ArchiveCopy& copy, const std::string& begins) {
  const std::string directory = copy.path() + "/quarantine";
  if (!fs::exists(directory)) return false;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().filename().string().starts_with(begins)) return true;
  }
  return false;
}

TEST_CASE("a sound archive is left as it is") {
  const ArchiveCopy copy(true);
  const std::string before = copy.read(kHotFile);
  const RepairReport report = repair(copy.path(), true);
  INFO(text_of(report));
  CHECK(report.actions.empty());
  CHECK(report.lost.empty());
  CHECK(report.after.findings.empty());
  CHECK(content_digest(copy.hot()).size() == 64);
  CHECK(!fs::exists(copy.path() + "/quarantine"));
}

TEST_CASE("format and current are written anew") {
  TestArchive archive;
  archive.add("https://example.com/", "<p>a page</p>", Time::from_seconds(1'700'000'000));
  PackOptions all;
  all.all = true;
  must(pack_archive(archive.archive(), all));
  fs::remove(archive.path() + "/format");
  SECTION("current is missing") {
    fs::remove(archive.path() + "/current");
  }
  SECTION("current is garbled") {
    must(posix_files().write_file(archive.path() + "/current", "hot-2.mdc\n"));
  }
  SECTION("current names a file that is not there") {
    must(posix_files().write_file(archive.path() + "/current", "hot-3.mdb\n"));
  }
  CHECK(!must(check_archive(archive.path())).clean());
  const RepairReport report = repair(archive.path());
  INFO(text_of(report));
  CHECK(report.actions.size() == 2);
  CHECK(report.lost.empty());
  CHECK(report.after.findings.empty());
  archive.require_clean();
}

TEST_CASE("tables that are derived are made anew") {
  const ArchiveCopy copy(true);
  copy.change([](WriteTransaction& t, const Tables& tables) {
    for (const Table table : {tables.urls, tables.payloads}) {
      Bytes key;
      {
        Cursor cursor = must(t.cursor(table));
        key = must(cursor.first())->key;
      }
      must(t.put(table, key, "12345678"));
    }
  });
  CHECK(!copy.check().clean());
  const RepairReport report = repair(copy.path());
  INFO(text_of(report));
  CHECK(report.actions.size() == 2);
  CHECK(report.lost.empty());
  CHECK(report.after.findings.empty());
}

TEST_CASE("a pack that no entry names any more is named again") {
  const ArchiveCopy copy(true);
  copy.change([](WriteTransaction& t, const Tables& tables) {
    Bytes key;
    {
      Cursor cursor = must(t.cursor(tables.packs));
      key = must(cursor.first())->key;
    }
    must(t.put(tables.packs, key, "garbled"));
  });
  CHECK(ids_of(copy.check()).contains("pack-entry-damaged"));
  const RepairReport report = repair(copy.path());
  INFO(text_of(report));
  CHECK(report.lost.empty());
  CHECK(report.after.findings.empty());
  CHECK(report.after.packs == 2);
  CHECK(count_readable(copy.path()) == 13);
}

TEST_CASE("what can be read of a damaged pack becomes loose, and the pack goes into quarantine") {
  const ArchiveCopy copy(true);
  const std::string name = copy.packs().at(0);
  SECTION("nothing is lost with the index") {
    flip(copy, name, place_of(copy, name, FrameType::content_index));
    const RepairReport report = repair(copy.path());
    INFO(text_of(report));
    CHECK(report.lost.empty());
    CHECK(report.after.clean());
    CHECK(count_readable(copy.path()) == 13);
    CHECK(has_file(copy, fs::path(name).filename().string()));
    CHECK(!fs::exists(copy.path() + "/" + name));
    // What the second pack takes from the first one is found among the loose objects, also when they are packed.
    Archive archive = must(Archive::open(copy.path()));
    must(pack_archive(archive, {}));
    CHECK(copy.check().clean());
    CHECK(count_readable(copy.path()) == 13);
  }
  SECTION("only metadata is lost with metadata") {
    flip(copy, name, place_of(copy, name, FrameType::metadata));
    const RepairReport report = repair(copy.path());
    INFO(text_of(report));
    CHECK(!report.lost.empty());
    CHECK(!report.after.clean());
    CHECK(!repair(copy.path(), true).lost.empty());
    CHECK(copy.check().clean());
    CHECK(count_readable(copy.path()) == 13);
  }
  SECTION("lost captures are named, and stay in the histories until they are dropped") {
    flip(copy, name, place_of(copy, name, FrameType::recipe));
    const RepairReport report = repair(copy.path());
    INFO(text_of(report));
    CHECK(report.lost.size() >= 7);
    CHECK(!report.after.clean());
    CHECK(report.after.observations == 13);
    const RepairReport dropped = repair(copy.path(), true);
    INFO(text_of(dropped));
    CHECK(dropped.lost.size() == report.lost.size());
    CHECK(dropped.after.clean());
    CHECK(dropped.after.observations == 4);
    CHECK(count_readable(copy.path()) == 4);
    CHECK(has_file(copy, fs::path(name).filename().string()));
  }
}

TEST_CASE("a pack that is restored after a repair is taken up again") {
  const ArchiveCopy copy(true);
  const std::string name = copy.packs().at(1);
  const std::string bytes = copy.read(name);
  fs::remove(copy.path() + "/" + name);
  const RepairReport without = repair(copy.path());
  INFO(text_of(without));
  CHECK(without.lost.size() >= 3);
  CHECK(!without.advice.empty());
  copy.write(name, bytes);
  const RepairReport again = repair(copy.path());
  INFO(text_of(again));
  CHECK(again.lost.size() <= 1);  // what was stored as a difference went into quarantine with its base
  CHECK(count_readable(copy.path()) >= 12);
}

TEST_CASE("a damaged object goes into quarantine") {
  const ArchiveCopy copy;
  copy.change([](WriteTransaction& t, const Tables& tables) {
    Cursor cursor = must(t.cursor(tables.objects));
    const KeyValue at = *must(cursor.first());
    Bytes value(at.value);
    value.back() = static_cast<char>(value.back() ^ 1);
    must(t.put(tables.objects, Bytes(at.key), value));
  });
  const RepairReport report = repair(copy.path(), true);
  INFO(text_of(report));
  CHECK(!report.lost.empty());
  CHECK(has_file(copy, "object-"));
  CHECK(report.after.clean());
  CHECK(count_readable(copy.path()) == report.after.observations);
}

TEST_CASE("without tables, the repair says what packs still hold and touches nothing") {
  const ArchiveCopy copy(true);
  copy.write(kHotFile, std::string(100'000, 'x'));
  const std::string pack = copy.path() + "/packs";
  const RepairReport report = repair(copy.path(), true);
  INFO(text_of(report));
  CHECK(report.actions.empty());
  CHECK(!report.lost.empty());
  CHECK(report.advice.size() == 3);
  CHECK(copy.read(kHotFile) == std::string(100'000, 'x'));
}

// Wherever a byte is flipped, everything comes back or is named, and what remains is sound.
TEST_CASE("an archive with any byte of a pack flipped is sound after a repair") {
  const SmallPackArchive model;
  const TemporaryDirectory directory;
  const std::string path = directory.file("archive");
  for (const std::string& name : model.files()) {
    const std::string bytes = model.read(name);
    for (std::size_t at = 0; at < bytes.size(); at += 41) {
      fs::remove_all(path);
      fs::copy(model.path(), path, fs::copy_options::recursive);
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 4);
      must(posix_files().write_file(path + "/" + name, changed));
      const auto report = repair_archive(path, {.drop_lost = true});
      if (!report) {
        REQUIRE(report.error().code == ErrorCode::unsupported);  // a newer `format`
        continue;
      }
      INFO(name << ", byte " << at << "\n" << text_of(*report));
      REQUIRE(report->after.clean());
      REQUIRE(count_readable(path) == report->after.observations);
      REQUIRE((report->after.observations == 8 || !report->lost.empty()));
    }
  }
}

}  // namespace
}  // namespace blockarch
