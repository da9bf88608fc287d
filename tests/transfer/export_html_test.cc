#include "transfer/export_html.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("an html export has a file for each version and a list of them") {
  TestArchive archive;
  const Time first = must(parse_time("2024-05-01T12:30:00Z", DateEnd::first, {}));
  const Time later{first.micros + 500'000};
  archive.add("https://example.com/a?x=<b>", "<p>one</p>", first);
  archive.add("https://example.com/a?x=<b>", "<p>one</p>", Time{first.micros + 100'000});
  archive.add("https://example.com/a?x=<b>", "<p>two</p>", later);
  archive.add("https://example.com/style.css", "p {}", first, "text/css");
  TemporaryDirectory directory;
  const ExportReport report = must(export_html(archive.snapshot(), directory.file("out"), {}));
  CHECK(report.urls == 2);
  CHECK(report.captures == 4);
  CHECK(report.files == 3);

  CHECK(content_of(directory.file("out/example.com/style.css/20240501123000.css")) == "p {}");
  std::string page;
  for (const auto& entry : std::filesystem::directory_iterator(directory.file("out/example.com"))) {
    if (entry.path().filename().string().starts_with("a@")) page = entry.path();
  }
  CHECK(content_of(page + "/20240501123000.html") == "<p>one</p>");
  CHECK(content_of(page + "/20240501123000-2.html") == "<p>two</p>");

  const std::string index = content_of(directory.file("out/index.html"));
  CHECK(index.find("2024-05-01T12:30:00.5Z") != std::string::npos);
  CHECK(index.find("<script") == std::string::npos);
  CHECK(index.find("x=<b>") == std::string::npos);
  CHECK(index.find("x=&lt;b&gt;") != std::string::npos);
  archive.require_clean();
}

}  // namespace blockarch
