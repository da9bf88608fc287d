#include "history/rates.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/support/paragraph_pages.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

using Catch::Approx;
constexpr char kUrl[] = "https://example.com/";
constexpr double kDay = 86400;

std::string page(const std::string& first, const std::string& second) {
  return paragraph_page({first, second});
}

UrlRate rate(TestArchive& archive, const RateSpan& span = {}) {
  const Snapshot snapshot = archive.snapshot();
  return must(rate_of(snapshot, must(snapshot.find_url(kUrl)), span));
}

}  // namespace

TEST_CASE("a URL's rate comes from its captures, unchanged ones too") {
  TestArchive archive;
  for (int i = 0; i <= 20; ++i) archive.add(kUrl, page("alpha" + std::to_string(i / 4), "beta"), day(i));
  const UrlRate all = rate(archive);
  CHECK(all.estimate.visits == 20);
  CHECK(all.estimate.changes == 5);
  CHECK(all.estimate.rate * kDay == Approx(-std::log(15.5 / 20.5)));
  CHECK(all.first == day(0));
  CHECK(all.last == day(20));
  const UrlRate part = rate(archive, {day(9), day(11)});
  CHECK(part.estimate.visits == 2);
  CHECK(part.estimate.changes == 0);
  CHECK(rate(archive, {day(100), {}}).estimate.visits == 0);
}

TEST_CASE("one capture gives no rate") {
  TestArchive archive;
  archive.add(kUrl, page("a", "b"), day(0));
  CHECK(rate(archive).estimate.visits == 0);
}

TEST_CASE("each block has its own rate") {
  TestArchive archive;
  for (int i = 0; i <= 20; ++i) {
    archive.add(kUrl, page("alpha" + std::to_string(i / 2), "beta" + std::to_string(i / 10)), day(i));
  }
  const Snapshot snapshot = archive.snapshot();
  const BlockRates rates = must(block_rates(snapshot, must(snapshot.last_capture(must(snapshot.find_url(kUrl))))));
  const Bytes bytes = archive.page(kUrl, day(20));
  int seen = 0;
  for (std::size_t i = 0; i < rates.rates.size(); ++i) {
    const BlamedBlock& block = rates.page.blocks[i];
    const std::string text = bytes.substr(block.begin, block.end - block.begin);
    const RateEstimate& e = rates.rates[i];
    if (text.starts_with("<p>alpha")) {
      ++seen;
      CHECK(e.visits == 20);
      CHECK(e.changes == 10);
      CHECK(e.rate * kDay == Approx(-std::log(10.5 / 20.5)));
    } else if (text.starts_with("<p>beta")) {
      ++seen;
      CHECK(e.changes == 2);
    }
  }
  CHECK(seen == 2);
}

}  // namespace blockarch
