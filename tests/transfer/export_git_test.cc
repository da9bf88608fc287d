#include "transfer/export_git.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"
#include "tests/transfer/git_program.h"

namespace blockarch {
namespace {

Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * 86'400);
}

void fill(TestArchive& archive) {
  for (int i = 0; i < 8; ++i) {
    archive.add("https://example.com/a", sample_page(10, i / 2, "edit"), day(i));
    archive.add("https://example.com/a/b?q=1", "<p>" + std::to_string(i) + "</p>", day(i));
  }
  archive.add("https://other.example/style.css", "p { color: red }", day(3), "text/css");
  archive.add("https://[::1]:8080/", "<p>local</p>", day(4));
}

std::string pack_of(const std::string& repository) {
  for (const auto& entry : std::filesystem::directory_iterator(repository + "/objects/pack")) {
    if (entry.path().extension() == ".pack") {
      std::ifstream in(entry.path(), std::ios::binary);
      return {std::istreambuf_iterator<char>(in), {}};
    }
  }
  FAIL("no pack");
  return {};
}

}  // namespace

TEST_CASE("a git export is a repository that git accepts, with the exact bytes of every version") {
  if (!has_git()) SKIP("git is not installed");
  TestArchive archive;
  fill(archive);
  TemporaryDirectory directory;
  const std::string repository = directory.file("out.git");
  const ExportReport report = must(export_git(archive.snapshot(), repository, {}));
  CHECK(report.urls == 4);
  CHECK(report.captures == 18);
  CHECK(report.commits == 14);
  CHECK(report.branches == 1);
  CHECK(report.problems.empty());

  CHECK(run_git(repository, "fsck --full --strict --no-dangling").find("error") == std::string::npos);
  CHECK(run_git(repository, "rev-list --count main") == "14\n");
  CHECK(run_git(repository, "log --format=%s -1 main -- example.com/a.html") == "https://example.com/a\n");
  CHECK(run_git(repository, "log --format=%at -1 main") == std::to_string(day(7).micros / 1'000'000) + "\n");
  CHECK(run_git(repository, "show main:example.com/a.html") == archive.page("https://example.com/a", day(7)));
  const std::string third = run_git(repository, "rev-list --reverse main -- example.com/a.html");
  CHECK(run_git(repository, "show " + third.substr(82, 40) + ":example.com/a.html") ==
        archive.page("https://example.com/a", day(4)));
  archive.require_clean();
}

TEST_CASE("two git exports of the same captures are the same to the byte") {
  TestArchive archive;
  fill(archive);
  TemporaryDirectory directory;
  must(export_git(archive.snapshot(), directory.file("one"), {}));
  must(export_git(archive.snapshot(), directory.file("two"), {}));
  CHECK(pack_of(directory.file("one")) == pack_of(directory.file("two")));
}

TEST_CASE("with a branch for each host, each has the history of its pages alone") {
  if (!has_git()) SKIP("git is not installed");
  TestArchive archive;
  fill(archive);
  TemporaryDirectory directory;
  GitExportOptions options;
  options.branch_per_host = true;
  const ExportReport report = must(export_git(archive.snapshot(), directory.file("out"), options));
  CHECK(report.branches == 3);
  run_git(directory.file("out"), "fsck --full --strict");
  CHECK(run_git(directory.file("out"), "ls-tree -r --name-only other.example") == "other.example/style.css\n");
  CHECK(run_git(directory.file("out"), "rev-list --count example.com") == "12\n");
  const std::string branches = run_git(directory.file("out"), "for-each-ref --format='%(refname)'");
  CHECK(branches.find("refs/heads/___1_+") != std::string::npos);
}

TEST_CASE("a git export keeps to the selection") {
  if (!has_git()) SKIP("git is not installed");
  TestArchive archive;
  fill(archive);
  TemporaryDirectory directory;
  GitExportOptions options;
  options.selection.patterns = {"example.com/a*"};
  CHECK(must(export_git(archive.snapshot(), directory.file("none"), options)).captures == 0);
  CHECK(run_git(directory.file("none"), "fsck --full --strict").find("error") == std::string::npos);

  options.selection.patterns = {"example.com/a"};
  options.selection.since = day(2);
  options.selection.until = day(5);
  const ExportReport report = must(export_git(archive.snapshot(), directory.file("some"), options));
  CHECK(report.urls == 2);
  CHECK(report.captures == 8);
  CHECK(report.commits == 6);

  options.selection = {};
  options.selection.instants = {day(1), day(6)};
  const ExportReport tagged = must(export_git(archive.snapshot(), directory.file("tagged"), options));
  CHECK(tagged.urls == 4);
  CHECK(tagged.captures == 6);
}

TEST_CASE("captures before 1970 and of one moment are commits too") {
  if (!has_git()) SKIP("git is not installed");
  TestArchive archive;
  archive.add("https://example.com/", "old", Time::from_seconds(-1000));
  archive.add("https://example.com/", "one", day(0));
  archive.add("https://example.com/", "two", day(0));
  TemporaryDirectory directory;
  CHECK(must(export_git(archive.snapshot(), directory.file("out"), {})).commits == 3);
  run_git(directory.file("out"), "fsck --full --strict");
  CHECK(run_git(directory.file("out"), "show main:example.com/index.html") == "two");
  CHECK(run_git(directory.file("out"), "log --reverse --format=%at main").starts_with("0\n"));
}

TEST_CASE("a directory that holds something is left alone, and a failed export leaves nothing behind") {
  TestArchive archive;
  fill(archive);
  TemporaryDirectory directory;
  std::filesystem::create_directory(directory.file("full"));
  std::ofstream(directory.file("full/x")) << "x";
  const auto refused = export_git(archive.snapshot(), directory.file("full"), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::invalid);
  CHECK_FALSE(export_git(archive.snapshot(), directory.file("missing/out"), {}));
  const auto entries = std::distance(std::filesystem::directory_iterator(directory.path()), {});
  CHECK(entries == 1);
}

}  // namespace blockarch
