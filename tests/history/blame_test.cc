#include "history/blame.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/paragraph_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

constexpr char kUrl[] = "https://example.com/";

Blame blame_of(TestArchive& archive, Time at = Time::max(), const BlameOptions& options = {}) {
  const Snapshot snapshot = archive.snapshot();
  return must(blame(snapshot, must(snapshot.capture_at(must(snapshot.find_url(kUrl)), at)), options));
}

// The block that begins with these words.
BlamedBlock block_with(TestArchive& archive, const Blame& blame, const std::string& words) {
  const Bytes bytes = archive.page(kUrl, blame.capture.time);
  for (const BlamedBlock& block : blame.blocks)
    if (bytes.substr(block.begin, block.end - block.begin).starts_with("<p>" + words)) return block;
  FAIL("no block has " << words);
  return {};
}

}  // namespace

TEST_CASE("blame tells since when, until when and how often a block changed") {
  TestArchive archive;
  archive.add(kUrl, paragraph_page({"alpha", "beta", "gamma"}), day(0));
  const auto second = archive.add(kUrl, paragraph_page({"alpha", "bravo", "gamma"}), day(1));
  archive.add(kUrl, paragraph_page({"alpha", "bravo", "gamma"}), day(2));
  archive.add(kUrl, paragraph_page({"alpha", "bravo", "gamma", "delta"}), day(3));
  archive.add(kUrl, paragraph_page({"alpha", "bingo", "gamma", "delta"}), day(4));

  const Blame newest = blame_of(archive);
  CHECK(newest.damaged == 0);
  const BlamedBlock alpha = block_with(archive, newest, "alpha");
  CHECK(alpha.stay.since == day(0));
  CHECK(alpha.stay.until == day(4));
  CHECK_FALSE(alpha.stay.ended);
  CHECK(alpha.changes == 0);
  CHECK(alpha.place_since == day(0));
  const BlamedBlock bingo = block_with(archive, newest, "bingo");
  CHECK(bingo.stay.since == day(4));
  CHECK(bingo.changes == 2);
  CHECK(bingo.place_since == day(0));
  const BlamedBlock delta = block_with(archive, newest, "delta");
  CHECK(delta.stay.since == day(3));
  CHECK(delta.place_since == day(3));
  CHECK(delta.changes == 0);

  const Blame then = blame_of(archive, day(2));
  const BlamedBlock bravo = block_with(archive, then, "bravo");
  CHECK(bravo.stay.since == day(1));
  CHECK(bravo.stay.came_in == second.version);
  CHECK(bravo.stay.until == day(3));
  CHECK(bravo.stay.ended);
  CHECK(bravo.stay.gone == day(4));
  CHECK(bravo.changes == 1);
  archive.require_clean();
}

TEST_CASE("a block that went and came back stands since its return, and says when it was first seen") {
  TestArchive archive;
  archive.add(kUrl, paragraph_page({"alpha", "beta"}), day(0));
  archive.add(kUrl, paragraph_page({"alpha", "other"}), day(1));
  archive.add(kUrl, paragraph_page({"alpha", "beta"}), day(2));
  const BlamedBlock beta = block_with(archive, blame_of(archive), "beta");
  CHECK(beta.stay.since == day(2));
  CHECK(beta.first == day(0));
  CHECK(beta.changes == 2);
}

TEST_CASE("a block that only moved has not changed") {
  TestArchive archive;
  archive.add(kUrl, paragraph_page({"alpha", "beta", "gamma"}), day(0));
  archive.add(kUrl, paragraph_page({"gamma", "alpha", "beta"}), day(1));
  const Blame result = blame_of(archive);
  for (const char* words : {"alpha", "beta", "gamma"}) {
    CHECK(block_with(archive, result, words).stay.since == day(0));
    CHECK(block_with(archive, result, words).changes == 0);
  }
}

TEST_CASE("blame names other URLs that show the block at that time") {
  TestArchive archive;
  archive.add(kUrl, paragraph_page({"alpha", "beta"}), day(1));
  archive.add("https://example.com/same", paragraph_page({"beta", "other"}), day(0));
  archive.add("https://example.com/later", paragraph_page({"beta", "other"}), day(2));
  BlameOptions options;
  options.elsewhere = true;
  const BlamedBlock beta = block_with(archive, blame_of(archive, Time::max(), options), "beta");
  CHECK(beta.elsewhere == std::vector<std::string>{"https://example.com/same"});
  CHECK(beta.elsewhere_count == 1);
  CHECK(block_with(archive, blame_of(archive), "beta").elsewhere.empty());
}

TEST_CASE("blame works on one version, on binary files, on an empty page and across types") {
  TestArchive archive;
  archive.add(kUrl, paragraph_page({"alpha"}), day(0));
  CHECK(blame_of(archive).blocks.at(0).stay.since == day(0));
  archive.add(kUrl, std::string(10'000, '\1'), day(1), "application/octet-stream");
  const Blame binary = blame_of(archive);
  CHECK(binary.blocks.size() == 1);
  CHECK(binary.blocks[0].stay.since == day(1));
  archive.add(kUrl, "", day(2));
  CHECK(blame_of(archive).blocks.size() == 1);
  CHECK(block_with(archive, blame_of(archive, day(0)), "alpha").stay.gone == day(1));
}

TEST_CASE("the layout is blamed too") {
  TestArchive archive;
  archive.add(kUrl, paragraph_page({"alpha", "beta"}), day(0));
  archive.add(kUrl, paragraph_page({"alpha", "gamma"}), day(1));
  const Blame result = blame_of(archive);
  CHECK(result.layout.since == day(0));
  CHECK(result.layout_changes == 0);
}

}  // namespace blockarch
