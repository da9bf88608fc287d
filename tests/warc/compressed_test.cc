#include <random>

#include "warc_files.h"

using namespace blockarch;

namespace {

using Uris = std::vector<std::string>;

Bytes noise(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  Bytes bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

const Bytes kA = warc_record("resource", "http://a.example/", "first");
const Bytes kB = warc_record("resource", "http://b.example/", noise(5000));
const Bytes kC = warc_record("resource", "http://c.example/", "third");
const Uris kAll{"http://a.example/", "http://b.example/", "http://c.example/"};
const Uris kWithoutB{"http://a.example/", "http://c.example/"};

// Every kind of damage must leave the records around it, be reported at the piece it is in, and lose nothing else.
void check_damage(const Bytes& a, const Bytes& b, const Bytes& c) {
  for (const std::size_t at : {b.size() / 2, b.size() - 3, std::size_t{30}}) {
    Bytes damaged = b;
    for (std::size_t i = 0; i < 3; ++i) damaged[at + i] = static_cast<char>(damaged[at + i] ^ 0x55);
    const ReadFile file = read_archive(a + damaged + c);
    INFO("damage at " << at);
    CHECK(file.uris() == kWithoutB);
    REQUIRE(file.problems.size() == 1);
    CHECK(file.problems[0].kind == ProblemKind::damaged);
    CHECK(file.problems[0].offset == a.size());
  }
  const ReadFile garbage = read_archive(a + noise(3000, 2) + b + c);
  CHECK(garbage.uris() == kAll);
  REQUIRE(garbage.problems.size() == 1);
  CHECK(garbage.problems[0].offset == a.size());

  const ReadFile cut = read_archive(a + b.substr(0, b.size() - 10));
  CHECK(cut.uris() == Uris{"http://a.example/"});
  REQUIRE(cut.problems.size() == 1);
  CHECK(cut.problems[0].kind == ProblemKind::truncated);
}

}  // namespace

TEST_CASE("a gzip member for each record gives records with their offsets in the file") {
  const ReadFile file = read_archive(gzip_member(kA) + gzip_member(kB) + gzip_member(kC));
  CHECK(file.problems.empty());
  CHECK(file.format == "WARC, gzip");
  REQUIRE(file.uris() == kAll);
  CHECK(file.records[1].offset == gzip_member(kA).size());
  CHECK(file.records[1].member_offset == 0);
  CHECK(file.records[1].stored_size == gzip_member(kB).size());
  CHECK(file.records[1].body.view() == noise(5000));
}

TEST_CASE("one gzip member for the whole file is read as a stream") {
  Bytes all = kA;
  for (unsigned i = 0; i < 30; ++i) all += warc_record("resource", "http://b.example/", noise(400'000, i));
  const ReadFile file = read_archive(gzip_member(all + kC));  // larger than what is decoded at once
  CHECK(file.problems.empty());
  REQUIRE(file.records.size() == 32);
  CHECK(file.records[30].body.view() == noise(400'000, 29));
  CHECK(file.records[31].offset == 0);
  CHECK(file.records[31].member_offset == all.size());
}

TEST_CASE("members that are cut anywhere hold one stream") {
  const Bytes all = kA + kB + kC;
  Bytes file;
  for (std::size_t at = 0; at < all.size(); at += 1000) file += gzip_member(ByteView(all).substr(at, 1000));
  const ReadFile read = read_archive(file + gzip_member(""));
  CHECK(read.problems.empty());
  CHECK(read.uris() == kAll);
  CHECK(read.records[1].body.view() == noise(5000));
}

TEST_CASE("a record that is longer than its member ends before the next one") {
  Bytes longer = kA;
  longer.replace(longer.find("Content-Length: 5"), 17, "Content-Length: 5000");
  const ReadFile file = read_archive(gzip_member(longer) + gzip_member(kB) + gzip_member(kC));
  CHECK(file.uris() == Uris{"http://b.example/", "http://c.example/"});
  REQUIRE(file.problems.size() == 1);
  CHECK(file.problems[0].kind == ProblemKind::truncated);
}

TEST_CASE("damage in gzip costs the record it is in") {
  check_damage(gzip_member(kA), gzip_member(kB), gzip_member(kC));
}

TEST_CASE("damage in zstd costs the record it is in") {
  check_damage(zstd_frame(kA), zstd_frame(kB), zstd_frame(kC));
}

TEST_CASE("zeros that fill up a gzip file are no damage") {
  const ReadFile file = read_archive(gzip_member(kA) + Bytes(1000, '\0'));
  CHECK(file.records.size() == 1);
  CHECK(file.problems.empty());
}

TEST_CASE("zstd frames are read with the dictionary, plain or compressed, that the file begins with") {
  const Bytes dictionary = kC + kB.substr(0, 1000) + kA;
  const Bytes frames = zstd_frame(kA, dictionary) + skippable_frame("ignored", 0x184D2A50) +
                       zstd_frame(kB, dictionary) + zstd_frame(kC, dictionary);
  for (const Bytes& stored : {dictionary, zstd_frame(dictionary)}) {
    const ReadFile file = read_archive(skippable_frame(stored) + frames);
    CHECK(file.problems.empty());
    CHECK(file.uris() == kAll);
    CHECK(file.format == "WARC, zstd with a dictionary");
  }
  const ReadFile whole = read_archive(zstd_frame(kA + kB + kC));
  CHECK(whole.uris() == kAll);
  CHECK(whole.format == "WARC, zstd");
}

TEST_CASE("a dictionary that is cut off, damaged or huge is refused") {
  CHECK(read_archive(skippable_frame("dictionary").substr(0, 12)).refused.find("ends inside") != std::string::npos);
  CHECK(read_archive(skippable_frame(zstd_frame(kB).substr(0, 100))).refused.find("does not decode") !=
        std::string::npos);
  Bytes huge = skippable_frame("");
  huge[7] = '\x7F';
  CHECK(read_archive(huge).refused.find("at most") != std::string::npos);
}

TEST_CASE("a large body is spilled and reads the same") {
  ReaderOptions options;
  options.spill_limit = 1000;
  for (const Bytes& bytes : {kA + kB + kC, gzip_member(kA) + gzip_member(kB) + gzip_member(kC)}) {
    const ReadFile file = read_archive(bytes, options);
    REQUIRE(file.uris() == kAll);
    CHECK_FALSE(file.records[0].body.is_spilled());
    CHECK(file.records[1].body.is_spilled());
    CHECK(file.records[1].body.view() == noise(5000));
  }
  options.spill_directory = "/nowhere/at/all";
  const ReadFile failed = read_archive(kA + kB, options);
  CHECK(failed.records.size() == 1);
  CHECK(failed.failed.find("/nowhere/at/all") != std::string::npos);
}

TEST_CASE("a bomb is given up and what follows is read") {
  // 40 MB of zeros out of 40 KB, inside a record and after one.
  const Bytes zeros(40 << 20, '\0');
  const Bytes inside = warc_record("resource", "http://bomb.example/", zeros);
  ReaderOptions options;
  options.spill_limit = 1 << 20;
  for (const auto& pack : {gzip_member, +[](ByteView bytes) { return zstd_frame(bytes); }}) {
    const ReadFile file = read_archive(pack(kA) + pack(inside) + pack(kC), options);
    CHECK(file.uris() == kWithoutB);
    REQUIRE(file.problems.size() == 1);
    CHECK(file.problems[0].kind == ProblemKind::too_large);
    const ReadFile after = read_archive(pack(kA) + pack(kB + zeros) + pack(kC), options);
    CHECK(after.uris() == kWithoutB);
    CHECK(after.problems.size() == 1);
  }
}

TEST_CASE("gzip and zstd that hold no archive are refused") {
  CHECK(read_archive(gzip_member("<html>")).refused ==
        "test.warc is no web archive: what is in the gzip begins with \"<html>\"");
  CHECK(read_archive(zstd_frame("<html>")).refused.find("zstd begins with") != std::string::npos);
  CHECK(read_archive(Bytes("\x1F\x8B\x08 nothing")).refused.find("gzip") != std::string::npos);
}

TEST_CASE("a zstd window beyond the limit is refused by name") {
  ReaderOptions options;
  options.max_zstd_window_log = 10;
  const Bytes frame = zstd_frame(warc_record("resource", "http://a.example/", noise(100'000)));
  CHECK(read_archive(frame).records.size() == 1);
  CHECK(read_archive(frame, options).refused.find("window of more than 2^10 bytes") != std::string::npos);
}
