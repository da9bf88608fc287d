#include "engine/usage.h"

#include <catch2/generators/catch_generators.hpp>

#include "engine/pack_archive.h"
#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

using namespace blockarch;

TEST_CASE("usage tells what a URL has for itself and what it shares, packed or not") {
  const int how = GENERATE(0, 1, 2);
  TestArchive test;
  const Time t = Time::from_seconds(1'700'000'000);
  const Bytes page = sample_page(20);
  test.add("https://a.example/one", page, t);
  test.add("https://a.example/two", page, t);
  if (how == 2) must(pack_archive(test.archive(), {}));
  test.add("https://b.example/", sample_page(12, 3, "something else here"), t);
  test.add("https://b.example/", sample_page(12, 3, "something else here"), Time::from_seconds(1'700'100'000));
  test.add("https://c.example/", "<p>all alone</p>", t);
  if (how == 1) must(pack_archive(test.archive(), {.all = true}));
  if (how == 2) must(pack_archive(test.archive(), {}));

  const auto urls = must(usage_of(test.snapshot(), UsageBy::url, {}));
  REQUIRE(urls.size() == 4);
  CHECK(urls[0].url == "https://a.example/one");
  CHECK(urls[0].unique_bytes == 0);
  CHECK(urls[0].logical_bytes == page.size());
  CHECK(urls[0].shared_bytes > page.size() / 2);
  CHECK(urls[1].stored_bytes == 0);  // all of it counts for the first
  CHECK(urls[2].captures == 2);
  CHECK(urls[2].versions == 1);
  CHECK(urls[2].unique_bytes > 0);
  CHECK(urls[2].shared_bytes > 0);
  CHECK(urls[3].shared_bytes == 0);
  CHECK(urls[3].unique_bytes >= 16);

  const auto hosts = must(usage_of(test.snapshot(), UsageBy::host, {}));
  REQUIRE(hosts.size() == 3);
  CHECK(hosts[0].url == "a.example");
  CHECK(hosts[0].captures == 2);
  // What its two URLs share is the host's own, and all distinct bytes are counted once.
  CHECK(hosts[0].unique_bytes + hosts[0].shared_bytes == urls[0].shared_bytes);
  CHECK(hosts[0].unique_bytes > 0);

  const auto chosen = must(usage_of(test.snapshot(), UsageBy::url, {.pattern = "*b.example*"}));
  REQUIRE(chosen.size() == 1);
  CHECK(chosen[0].unique_bytes == urls[2].unique_bytes);
  test.require_clean();
}
