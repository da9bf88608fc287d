#include "engine/pack_archive.h"

#include <catch2/generators/catch_generators.hpp>
#include <filesystem>
#include <thread>

#include "tests/support/archive_contents.h"
#include "tests/support/sample_pages.h"

using namespace blockarch;

namespace {

Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * 86'400);
}

std::string url(int n) {
  return "https://example.com/page" + std::to_string(n);
}

// Pages that change a little from day to day, with metadata, returns and repeats.
void fill(Archive& archive, int first_day, int days, int urls = 3) {
  Writer writer = must(archive.writer());
  for (int d = first_day; d < first_day + days; ++d) {
    for (int u = 0; u < urls; ++u) {
      Bytes page = sample_page(20 + u * 5);
      if (d % 4 != 3) page += "<p>" + std::to_string(d % 7) + " of the days of " + std::to_string(u) + "</p>";
      // A long script that changes in one place: a list of chunks.
      page += "<script>";
      for (int i = 0; i < 600; ++i) page += "call(" + std::to_string(i == d ? -1 : i) + ");\n";
      page += "</script>";
      CaptureRequest request;
      request.url = url(u);
      request.payload = page;
      request.time = day(d);
      request.content_type = "text/html";
      request.metadata = {{"status", "200"}, {"date", "day " + std::to_string(d)}};
      must(writer.add(request));
    }
  }
  must(writer.commit());
}

std::vector<std::string> pack_files(const std::string& archive) {
  std::vector<std::string> names;
  if (!std::filesystem::exists(archive + "/packs")) return names;
  for (const auto& entry : std::filesystem::directory_iterator(archive + "/packs")) {
    names.push_back(entry.path().filename());
  }
  return names;
}

}  // namespace

TEST_CASE("packing changes nothing that an archive shows") {
  const bool all = GENERATE(false, true);
  const auto compression = GENERATE(PackCompression::zstd, PackCompression::deflate);
  TestArchive test;
  fill(test.archive(), 0, 20);
  const ArchiveContents before = contents_of(test.archive());
  PackOptions options;
  options.all = all;
  options.compression = compression;
  const PackReport report = must(pack_archive(test.archive(), options));
  CHECK(report.versions > 20);
  CHECK(report.metadata > 20);
  CHECK(report.packs == 1);
  CHECK(contents_of(test.archive()) == before);
  // Another process sees the same.
  Archive again = must(Archive::open(test.path()));
  CHECK(contents_of(again) == before);
  CHECK(pack_files(test.path()).size() == 1);
  test.require_clean();
}

TEST_CASE("packing everything makes the archive small") {
  TestArchive test;
  fill(test.archive(), 0, 120);
  const PackReport report = must(pack_archive(test.archive(), {.all = true}));
  CHECK(report.bytes_after * 3 < report.bytes_before);
  CHECK(std::filesystem::exists(test.path() + "/hot-2.mdb"));
  CHECK_FALSE(std::filesystem::exists(test.path() + "/hot.mdb"));
  test.require_clean();
}

TEST_CASE("what comes in while new captures are packed stays loose, and the tables give their place back") {
  TestArchive test;
  fill(test.archive(), 0, 60);
  bool added = false;
  PackOptions options;
  options.progress = [&](std::uint64_t, std::uint64_t) {
    if (!std::exchange(added, true)) fill(test.archive(), 100, 3);
  };
  must(pack_archive(test.archive(), options));
  REQUIRE(added);
  const ArchiveContents all = contents_of(test.archive());
  CHECK(all.size() == 63 * 3);
  CHECK_FALSE(std::filesystem::exists(test.path() + "/hot.mdb"));
  CHECK(std::filesystem::file_size(test.path() + "/hot-2.mdb") < 128 << 10);
  test.require_clean();
  must(pack_archive(test.archive(), {}));
  CHECK(contents_of(test.archive()) == all);
  CHECK(pack_files(test.path()).size() == 2);
  test.require_clean();
}

TEST_CASE("captures go in after packing and share what is packed") {
  const bool all = GENERATE(false, true);
  TestArchive test;
  fill(test.archive(), 0, 10);
  must(pack_archive(test.archive(), {.all = all}));
  const ArchiveContents packed = contents_of(test.archive());
  // The same captures again are recognised.
  fill(test.archive(), 0, 10);
  CHECK(contents_of(test.archive()) == packed);
  // A page that was there comes back: no new version.
  const CaptureOutcome outcome = test.add(url(7), test.page(url(0), day(3)), day(50));
  CHECK(outcome.known_page);
  CHECK(outcome.new_objects == 0);
  fill(test.archive(), 10, 10);
  const ArchiveContents more = contents_of(test.archive());
  CHECK(more.size() == packed.size() + 31);

  SECTION("and are packed beside it") {
    const PackReport report = must(pack_archive(test.archive(), {}));
    CHECK(report.packs == 2);
    CHECK(contents_of(test.archive()) == more);
    SECTION("and then all into one") {
      CHECK(must(pack_archive(test.archive(), {.all = true})).packs == 1);
      CHECK(contents_of(test.archive()) == more);
    }
  }
  SECTION("and are packed with it") {
    CHECK(must(pack_archive(test.archive(), {.all = true})).packs == 1);
    CHECK(contents_of(test.archive()) == more);
  }
  test.require_clean();
}

TEST_CASE("nothing to pack leaves everything as it was") {
  TestArchive test;
  const PackReport empty = must(pack_archive(test.archive(), {}));
  CHECK(empty.pack_bytes == 0);
  CHECK(empty.packs == 0);
  fill(test.archive(), 0, 3);
  must(pack_archive(test.archive(), {}));
  const PackReport again = must(pack_archive(test.archive(), {}));
  CHECK(again.pack_bytes == 0);
  CHECK(again.packs == 1);
  test.require_clean();
}

TEST_CASE("packing twice gives the same pack") {
  TestArchive test;
  fill(test.archive(), 0, 12);
  must(pack_archive(test.archive(), {.all = true}));
  const auto first = pack_files(test.path());
  must(pack_archive(test.archive(), {.all = true}));
  CHECK(pack_files(test.path()) == first);
  test.require_clean();
}

TEST_CASE("a snapshot goes on while everything under it is packed") {
  TestArchive test;
  fill(test.archive(), 0, 10);
  must(pack_archive(test.archive(), {}));
  const Snapshot before = test.snapshot();
  const Bytes page = must(before.page(must(before.capture_at(must(before.find_url(url(1))), day(4))))).bytes;
  fill(test.archive(), 10, 5);
  must(pack_archive(test.archive(), {.all = true}));
  CHECK(must(before.page(must(before.capture_at(must(before.find_url(url(1))), day(4))))).bytes == page);
  CHECK(must(before.last_capture(must(before.find_url(url(1))))).time == day(9));
  CHECK(must(test.snapshot().last_capture(must(test.snapshot().find_url(url(1))))).time == day(14));
  test.require_clean();
}

TEST_CASE("readers and a writer go on while an archive is packed again and again") {
  TestArchive test;
  fill(test.archive(), 0, 4);
  std::atomic<bool> done = false;
  std::atomic<int> problems = 0;
  const auto read = [&] {
    Archive archive = must(Archive::open(test.path()));
    while (!done) {
      const auto snapshot = archive.snapshot();
      const auto number = snapshot ? snapshot->find_url(url(2)) : Result<UrlNumber>(snapshot.error());
      const auto capture = number ? snapshot->capture_at(*number, day(2)) : Result<CaptureInfo>(number.error());
      if (!capture || !snapshot->page(*capture)) ++problems;
    }
  };
  std::thread first(read);
  std::thread second(read);
  std::thread packer([&] {
    Archive archive = must(Archive::open(test.path()));
    for (int i = 0; i < 12; ++i) {
      if (!pack_archive(archive, {.all = i % 3 == 2, .wait = std::chrono::seconds(60)})) ++problems;
    }
  });
  for (int d = 4; d < 16; ++d) fill(test.archive(), d, 1);
  packer.join();
  done = true;
  first.join();
  second.join();
  CHECK(problems == 0);
  CHECK(contents_of(test.archive()).size() == 48);
  test.require_clean();
}

TEST_CASE("a writer at long work gives way to packing, and what was prepared before stays good") {
  TestArchive test;
  fill(test.archive(), 0, 4);
  const ArchiveContents before = contents_of(test.archive());
  std::atomic<bool> packed = false;
  Writer writer = must(test.archive().writer());
  std::thread packer([&] {
    Archive archive = must(Archive::open(test.path()));
    must(pack_archive(archive, {.all = true, .wait = std::chrono::seconds(60)}));
    packed = true;
  });
  int added = 0;
  while (!packed && added < 2000) {
    const Bytes page = sample_page(10) + "<p>number " + std::to_string(added) + "</p>";
    CaptureRequest request;
    request.url = url(9);
    request.payload = page;
    request.time = day(added);
    PreparedCapture prepared = must(writer.prepare(request));
    must(writer.give_way());
    must(writer.add(std::move(prepared)));
    const auto refused = writer.give_way();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::invalid);
    must(writer.commit());
    ++added;
  }
  packer.join();
  CHECK(packed);
  CHECK(contents_of(test.archive()).size() == before.size() + static_cast<std::size_t>(added));
  test.require_clean();
}

TEST_CASE("packing stops when it is told to and leaves the archive as it was") {
  TestArchive test;
  fill(test.archive(), 0, 5);
  const ArchiveContents before = contents_of(test.archive());
  const std::atomic<bool> stop = true;
  PackOptions options;
  options.stop = &stop;
  const auto stopped = pack_archive(test.archive(), options);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::interrupted);
  CHECK(contents_of(test.archive()) == before);
  must(pack_archive(test.archive(), {}));
  CHECK(contents_of(test.archive()) == before);
  CHECK(pack_files(test.path()).size() == 1);
  test.require_clean();
}

TEST_CASE("objects are found by the beginning of their ids when they are packed") {
  TestArchive test;
  fill(test.archive(), 0, 6);
  std::vector<ObjectId> ids;
  {
    const Snapshot snapshot = test.snapshot();
    const CaptureInfo capture = must(snapshot.last_capture(must(snapshot.find_url(url(0)))));
    const VersionInfo info = must(snapshot.version_info(capture.version));
    ids = {capture.version, info.version.layout, info.version.tree};
    for (const BlockInfo& block : info.blocks) {
      if (block.is_leaf) ids.push_back(block.content);
    }
  }
  std::vector<Bytes> contents;
  for (const ObjectId& id : ids) contents.push_back(must(load(test.snapshot().objects(), id)));
  must(pack_archive(test.archive(), {.all = true}));
  const Snapshot snapshot = test.snapshot();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    INFO(ids[i].text());
    const ObjectId found = must(snapshot.find_object(ids[i].hash.hex().substr(0, 20)));
    CHECK(found == ids[i]);
    CHECK(must(load(snapshot.objects(), ids[i])) == contents[i]);
  }
  const auto missing = snapshot.find_object("0123456789abcdef0123");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::not_found);
}
