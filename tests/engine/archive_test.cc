#include "engine/archive.h"

#include <filesystem>
#include <fstream>

#include "tests/support/test_archive.h"

using namespace blockarch;
namespace fs = std::filesystem;

TEST_CASE("a new archive is empty, clean and can be opened again") {
  TestArchive test;
  CHECK(fs::exists(test.path() + "/format"));
  std::size_t urls = 0;
  must(test.snapshot().urls({}, [&](const UrlSummary&) { return ++urls, true; }));
  CHECK(urls == 0);
  CHECK(must(test.snapshot().stats()).captures == 0);
  test.require_clean();
}

TEST_CASE("creating refuses what it must not touch") {
  const TemporaryDirectory directory;
  CHECK(Archive::create(directory.path() + "/a/b").error().code == ErrorCode::not_found);

  const std::string file = directory.path() + "/file";
  std::ofstream(file) << "x";
  CHECK(Archive::create(file).error().code == ErrorCode::invalid);
  CHECK(Archive::create(directory.path()).error().message.find("not empty") != std::string::npos);

  const std::string archive = directory.path() + "/archive/";
  must(Archive::create(archive));
  CHECK(Archive::create(archive).error().message.find("archive already") != std::string::npos);
  CHECK(Archive::open(archive).has_value());
}

TEST_CASE("an archive whose creation was cut short can be created again") {
  const TemporaryDirectory directory;
  const std::string archive = directory.path() + "/archive";
  must(Archive::create(archive));
  fs::remove(archive + "/format");
  CHECK(Archive::open(archive).error().code == ErrorCode::no_archive);
  must(Archive::create(archive));
  CHECK(Archive::open(archive).has_value());
}

TEST_CASE("opening says what is wrong with what is there") {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/file";
  std::ofstream(file) << "x";
  CHECK(Archive::open(directory.path() + "/missing").error().code == ErrorCode::no_archive);
  CHECK(Archive::open(file).error().code == ErrorCode::no_archive);
  CHECK(Archive::open(directory.path()).error().code == ErrorCode::no_archive);

  const std::string archive = directory.path() + "/archive";
  must(Archive::create(archive));
  SECTION("a newer format") {
    std::ofstream(archive + "/format") << "blockarch archive 2\nhash blake3\n";
    const auto opened = Archive::open(archive);
    CHECK(opened.error().code == ErrorCode::unsupported);
    CHECK(opened.error().message.find("newer") != std::string::npos);
  }
  SECTION("a format file of something else") {
    std::ofstream(archive + "/format") << "hello\n";
    CHECK(Archive::open(archive).error().code == ErrorCode::corrupt);
  }
  SECTION("no hot.mdb") {
    fs::remove(archive + "/hot.mdb");
    CHECK(Archive::open(archive).error().code == ErrorCode::corrupt);
  }
  SECTION("a hot.mdb of garbage") {
    std::ofstream(archive + "/hot.mdb") << std::string(100'000, 'g');
    CHECK(Archive::open(archive).error().code == ErrorCode::corrupt);
  }
  SECTION("a hot.mdb cut short") {
    fs::resize_file(archive + "/hot.mdb", fs::file_size(archive + "/hot.mdb") - 1);
    CHECK(Archive::open(archive).error().code == ErrorCode::corrupt);
  }
  SECTION("an empty hot.mdb") {
    fs::resize_file(archive + "/hot.mdb", 0);
    CHECK(Archive::open(archive).error().code == ErrorCode::corrupt);
  }
}

TEST_CASE("a second writer is told that the archive is locked, and gets it afterwards") {
  TestArchive test;
  Archive other = must(Archive::open(test.path()));
  {
    Writer writer = must(test.archive().writer());
    CHECK(other.writer({.wait = std::chrono::milliseconds(20)}).error().code == ErrorCode::locked);
    CHECK(other.snapshot().has_value());
  }
  CHECK(other.writer({.wait = std::chrono::milliseconds(20)}).has_value());
}

TEST_CASE("what an interrupted run left in tmp is cleared by the next writer") {
  TestArchive test;
  std::ofstream(test.path() + "/tmp/leftover") << "x";
  { Writer writer = must(test.archive().writer()); }
  CHECK_FALSE(fs::exists(test.path() + "/tmp/leftover"));
  test.require_clean();
}
