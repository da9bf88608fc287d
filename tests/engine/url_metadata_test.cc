// Metadata of URLs: set with a capture, replaced by key, kept with the URL.
#include <filesystem>

#include "tests/support/test_archive.h"

using namespace blockarch;

namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr char kUrl[] = "https://example.org/";

CaptureRequest request(Entries url_metadata, int second = 1, Entries metadata = {}, const char* url = kUrl) {
  CaptureRequest r;
  r.url = url;
  r.payload = "<p>x";
  r.time = Time::from_seconds(second);
  r.metadata = std::move(metadata);
  r.url_metadata = std::move(url_metadata);
  return r;
}

Entries of_url(TestArchive& archive, const char* url = kUrl) {
  const Snapshot snapshot = archive.snapshot();
  return must(snapshot.url_metadata(must(snapshot.find_url(url)))).entries;
}

std::vector<std::string> urls_where(TestArchive& archive, std::vector<MetadataFilter> where) {
  std::vector<std::string> found;
  UrlFilter filter;
  filter.where = std::move(where);
  must(archive.snapshot().urls(filter, [&](const UrlSummary& url) {
    found.push_back(url.url);
    return true;
  }));
  return found;
}

}  // namespace

TEST_CASE("metadata of a URL is replaced by key and keeps the rest") {
  TestArchive archive;
  archive.add(request({}));
  CHECK(of_url(archive).empty());
  archive.add(request({{"owner", "press"}, {"kind", "news"}}, 2));
  CHECK(of_url(archive) == Entries{{"kind", "news"}, {"owner", "press"}});
  archive.add(request({{"owner", "office"}, {"area", "north"}}, 3));
  CHECK(of_url(archive) == Entries{{"area", "north"}, {"kind", "news"}, {"owner", "office"}});
  archive.add(request({}, 4));
  CHECK(of_url(archive).size() == 3);
  CHECK(archive.log(kUrl, {.unchanged = true}).size() == 4);
  archive.require_clean();
}

TEST_CASE("a capture that is there already still sets metadata of its URL") {
  TestArchive archive;
  archive.add(request({}));
  CHECK(archive.add(request({{"owner", "press"}})).change == CaptureChange::duplicate);
  CHECK(of_url(archive) == Entries{{"owner", "press"}});
  archive.require_clean();
}

TEST_CASE("metadata of a URL has limits, and what is over them does not get in") {
  TestArchive archive;
  Writer writer = must(archive.archive().writer());
  CHECK(writer.add(request({{"", "x"}})).error().code == ErrorCode::invalid);
  CHECK(writer.add(request({{"k", std::string(kMaxUrlMetadataValue + 1, 'x')}})).error().code == ErrorCode::invalid);
  Entries many;
  for (std::size_t i = 0; i <= kMaxUrlMetadataEntries; ++i) many.emplace_back("k" + std::to_string(i), "x");
  CHECK(writer.add(request(many)).error().code == ErrorCode::invalid);
  many.pop_back();
  must(writer.add(request(many)));
  must(writer.commit());
  must(writer.add(request({{"one-more", "x"}}, 2)));
  CHECK(writer.commit().error().code == ErrorCode::too_large);
  CHECK(of_url(archive).size() == kMaxUrlMetadataEntries);
  archive.require_clean();
}

TEST_CASE("URLs are found by their own metadata and that of their last capture") {
  TestArchive archive;
  archive.add(request({{"owner", "press"}}, 1, {{"status", "200"}}, "https://a.example/"));
  archive.add(request({{"owner", "port"}}, 1, {{"status", "200"}}, "https://b.example/"));
  archive.add(request({}, 2, {{"status", "404"}}, "https://b.example/"));
  archive.add(request({}, 1, {}, "https://c.example/"));
  using Found = std::vector<std::string>;
  CHECK(urls_where(archive, {{"owner", "p*"}}) == Found{"https://a.example/", "https://b.example/"});
  CHECK(urls_where(archive, {{"status", "200"}}) == Found{"https://a.example/"});
  CHECK(urls_where(archive, {{"status", "4??"}, {"owner", "port"}}) == Found{"https://b.example/"});
  CHECK(urls_where(archive, {{"status", "4??"}, {"owner", "press"}}).empty());
  CHECK(urls_where(archive, {{"none", "*"}}).empty());
  CHECK(urls_where(archive, {}).size() == 3);
}

TEST_CASE("the same metadata again leaves the record as it was") {
  TestArchive archive;
  archive.add(request({{"owner", "press"}, {"owner", "port"}}));
  CHECK(of_url(archive) == Entries{{"owner", "port"}});
  for (int i = 2; i < 200; ++i) archive.add(request({{"owner", "port"}}, i));
  CHECK(of_url(archive) == Entries{{"owner", "port"}});
  archive.require_clean();
}
