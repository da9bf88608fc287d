#include "refs/hot_file.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/temporary_directory.h"

using namespace blockarch;

TEST_CASE("names of hot files and their generations belong together") {
  CHECK(hot_file_name(1) == "hot.mdb");
  CHECK(hot_file_name(27) == "hot-27.mdb");
  for (const std::uint32_t generation : {1U, 2U, 27U, 4'000'000'000U}) {
    CHECK(generation_of(hot_file_name(generation)) == generation);
  }
  for (const char* other : {"hot-1.mdb", "hot-02.mdb", "hot-.mdb", "hot-x.mdb", "hot-2.mdb-lock", "hot", ""}) {
    CHECK(generation_of(other) == 0);
  }
}

TEST_CASE("the generation that counts is seen as soon as another one takes its place") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const std::string path = directory.path();
  CurrentHot current;
  CHECK(current.generation(files, path).value() == 1);
  CHECK(current.generation(files, path).value() == 1);
  for (const std::uint32_t generation : {2U, 3U, 4U, 17U}) {
    REQUIRE(write_current(files, path, path + "/new", generation));
    CHECK(current.generation(files, path).value() == generation);
    CHECK(current.generation(files, path).value() == generation);
    CHECK(read_current(files, path).value() == generation);
  }
  REQUIRE(files.remove(path + "/" + kCurrentFile));
  CHECK(current.generation(files, path).value() == 1);
}

TEST_CASE("a file that names no tables is damage, and is looked at again") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const std::string path = directory.path();
  CurrentHot current;
  for (const char* text : {"", "\n", "hot-2.mdb", "hot-1.mdb\n", "hot-2.mdb\nhot-3.mdb\n"}) {
    REQUIRE(files.write_file(path + "/" + kCurrentFile, text));
    const auto generation = current.generation(files, path);
    REQUIRE(!generation);
    CHECK(generation.error().code == ErrorCode::corrupt);
  }
  REQUIRE(files.write_file(path + "/" + kCurrentFile, "hot-2.mdb\n"));
  CHECK(current.generation(files, path).value() == 2);
}

TEST_CASE("an open file knows whether its name has gone to another") {
  const TemporaryDirectory directory;
  FileSystem& files = posix_files();
  const std::string path = directory.path() + "/a";
  REQUIRE(files.write_file(path, "one"));
  const auto file = std::move(files.open_input(path).value());
  CHECK(file->has_its_name());
  REQUIRE(files.write_file(directory.path() + "/b", "one"));
  REQUIRE(files.rename(directory.path() + "/b", path));
  CHECK(!file->has_its_name());
  CHECK(file->read_at(0, 3).value() == "one");
  REQUIRE(files.remove(path));
  CHECK(!file->has_its_name());
}
