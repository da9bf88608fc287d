#include "transfer/directory_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "tests/transfer/source_checks.h"

using namespace blockarch;
namespace fs = std::filesystem;

namespace {

using Strings = std::vector<std::string>;

class Folder {
 public:
  explicit Folder(const std::string& name = "folder") : path_(directory_.path() + "/" + name) {
    fs::create_directories(path_);
  }
  const std::string& path() const { return path_; }
  std::string outside() const { return directory_.path(); }
  Folder& file(const std::string& name, const std::string& bytes = "<p>x") {
    write_file(path_ + "/" + name, bytes);
    return *this;
  }

  std::unique_ptr<DirectorySource> open(const DirectoryOptions& options = {}) const {
    auto source = DirectorySource::open(path_, options);
    if (!source) FAIL(source.error().message);
    return std::move(*source);
  }
  ReadSource read(const DirectoryOptions& options = {}) const { return read_all(*open(options)); }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

constexpr char kSaved[] = "<!-- saved from url=(0020)https://example.org/ --><p>x";

}  // namespace

TEST_CASE("a wget mirror gives the URLs it was made from") {
  Folder folder;
  folder.file("example.org/index.html").file("example.org/a/index.html").file("example.org/a/b.html");
  folder.file("example.org/search?q=x y").file("example.org/list.php@page=2").file("example.org/index.html?p=1");
  folder.file("www.example.org:8080/x").file("www.example.org+81/x");
  const ReadSource all = folder.read();
  CHECK(all.problems.empty());
  CHECK(all.urls() == Strings{"https://example.org/a/b.html", "https://example.org/a/", "https://example.org/",
                              "https://example.org/?p=1", "https://example.org/list.php?page=2",
                              "https://example.org/search?q=x%20y", "https://www.example.org:81/x",
                              "https://www.example.org:8080/x"});
}

TEST_CASE("directories of protocols give the scheme") {
  Folder folder;
  folder.file("http/a.example/x").file("https:/b.example/index.html").file("c.example/y");
  CHECK(folder.read({.scheme = "http"}).urls() ==
        Strings{"http://c.example/y", "http://a.example/x", "https://b.example/"});
  CHECK(DirectorySource::open(folder.path(), {.scheme = "ftp"}).error().code == ErrorCode::invalid);
}

TEST_CASE("a directory that is called like its host is that host's") {
  Folder folder("example.org");
  folder.file("index.html").file("a/x.css").file("saved.html", "<!-- saved from url=(0019)https://other.example/ -->");
  CHECK(folder.read().urls() ==
        Strings{"https://example.org/a/x.css", "https://example.org/", "https://other.example/"});
  folder.file("other.org/x");
  const ReadSource all = folder.read();
  CHECK(all.urls() == Strings{"https://other.org/x", "https://other.example/"});
  CHECK(all.problems.size() == 2);
}

TEST_CASE("a plain folder stands below its base URL") {
  Folder folder;
  folder.file("index.html").file("a b/ü.html").file("c_files/x.js").file("c.html", kSaved);
  CHECK(folder.read({.base_url = "https://example.com/docs"}).urls() ==
        Strings{"https://example.com/docs/a%20b/%C3%BC.html", "https://example.com/docs/c.html",
                "https://example.com/docs/c_files/x.js", "https://example.com/docs/"});
  CHECK(DirectorySource::open(folder.path(), {.base_url = "docs"}).error().code == ErrorCode::invalid);
}

TEST_CASE("saved pages have the URL and time of their note, and their parts are counted") {
  Folder folder;
  folder.file("Page.html", kSaved).file("Page_files/style.css").file("Page_files/x.js");
  folder.file("single.html",
              "<!--\n Page saved with SingleFile\n url: https://example.org/s\n saved date: Mon Jan 01 2024 12:00:00 "
              "GMT+0000\n-->");
  folder.file("nothing.html").file("other_files/x", "y");
  auto source = folder.open();
  const ReadSource all = read_all(*source);
  CHECK(all.urls() == Strings{"https://example.org/", "https://example.org/s"});
  CHECK(all.captures[0].bytes() == kSaved);
  CHECK(format_rfc3339(all.captures[1].time) == "2024-01-01T12:00:00Z");
  CHECK(source->not_kept() == std::map<std::string, std::uint64_t>{{"part of a saved page", 1}});
  REQUIRE(all.problems.size() == 2);
  CHECK(all.problems[0].file == folder.path() + "/nothing.html");
  CHECK(loses_record(all.problems[0].kind));
}

TEST_CASE("captures have the time of the file, or the one that was given") {
  Folder folder;
  folder.file("a");
  const timespec times[2] = {{1'700'000'000, 0}, {1'700'000'000, 123'456'789}};
  REQUIRE(::utimensat(AT_FDCWD, (folder.path() + "/a").c_str(), times, 0) == 0);
  const std::string base = "https://example.org/";
  CHECK(folder.read({.base_url = base}).captures.at(0).time == Time{1'700'000'000'123'456});
  CHECK(folder.read({.base_url = base, .time = Time{42}}).captures.at(0).time == Time{42});
}

TEST_CASE("only files that match a pattern come, and numbered duplicates stay away") {
  Folder folder;
  folder.file("a.html").file("a.html.1").file("a.html.12").file("b.html.1").file("sub/c.html").file("d.txt");
  auto source = folder.open({.base_url = "https://e.example/", .patterns = {"*.html*", "none"}});
  CHECK(read_all(*source).urls() ==
        Strings{"https://e.example/a.html", "https://e.example/b.html.1", "https://e.example/sub/c.html"});
  CHECK(source->not_kept() == std::map<std::string, std::uint64_t>{{"not asked for", 1}, {"numbered duplicate", 2}});
  CHECK(source->counts().at("file") == 3);
  CHECK(source->progress().done == 3);
}

TEST_CASE("links are not followed, and pipes are not waited for") {
  Folder folder;
  write_file(folder.outside() + "/secret/x.html", "secret");
  folder.file("in.html");
  fs::create_symlink(folder.outside() + "/secret/x.html", folder.path() + "/link.html");
  fs::create_directory_symlink(folder.outside() + "/secret", folder.path() + "/directory");
  fs::create_directory_symlink(folder.path(), folder.path() + "/loop");
  REQUIRE(::mkfifo((folder.path() + "/pipe").c_str(), 0600) == 0);
  auto source = folder.open({.base_url = "https://e.example/"});
  CHECK(read_all(*source).urls() == Strings{"https://e.example/in.html"});
  CHECK(source->not_kept() == std::map<std::string, std::uint64_t>{{"special file", 1}, {"symbolic link", 3}});
}

TEST_CASE("a file or directory that becomes a link or a pipe before it is read is a problem") {
  Folder folder;
  write_file(folder.outside() + "/secret/x.html", "secret");
  folder.file("a.html").file("b.html").file("c/x.html");
  auto source = folder.open({.base_url = "https://e.example/"});
  std::vector<Problem> problems;
  std::vector<std::unique_ptr<RawCapture>> raw;
  for (int i = 0; i < 3; ++i) raw.push_back(std::move(*source->next(problems)));
  fs::remove(folder.path() + "/a.html");
  fs::create_symlink(folder.outside() + "/secret/x.html", folder.path() + "/a.html");
  fs::remove(folder.path() + "/b.html");
  REQUIRE(::mkfifo((folder.path() + "/b.html").c_str(), 0600) == 0);
  fs::remove_all(folder.path() + "/c");
  fs::create_directory_symlink(folder.outside() + "/secret", folder.path() + "/c");
  for (const auto& capture : raw) {
    const Decoded decoded = capture->decode();
    CHECK(decoded.captures.empty());
    REQUIRE(decoded.problems.size() == 1);
    CHECK(decoded.problems[0].message.starts_with("cannot be read: "));
  }
}

TEST_CASE("what cannot be read is a problem and the rest comes") {
  if (::geteuid() == 0) SKIP("root reads everything");
  Folder folder;
  folder.file("a.html").file("b/x.html").file("c.html");
  fs::permissions(folder.path() + "/a.html", fs::perms::none);
  fs::permissions(folder.path() + "/b", fs::perms::none);
  const ReadSource all = folder.read({.base_url = "https://e.example/"});
  fs::permissions(folder.path() + "/b", fs::perms::owner_all);
  CHECK(all.urls() == Strings{"https://e.example/c.html"});
  CHECK(all.problems.size() == 2);
}

TEST_CASE("a missing directory and a file in its place are named") {
  Folder folder;
  folder.file("file");
  for (const char* name : {"/missing", "/file"}) {
    const auto source = DirectorySource::open(folder.path() + name, {});
    REQUIRE_FALSE(source.has_value());
    CHECK(source.error().code == ErrorCode::io);
    CHECK(source.error().message.find(name) != std::string::npos);
  }
}

TEST_CASE("directories nested without end are left at a depth, and strange names come through") {
  Folder folder;
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "d/";
  folder.file(deep + "x.html").file("new\nline.html").file("%41 \xFF.html").file("empty.html", "");
  const ReadSource all = folder.read({.base_url = "https://e.example/"});
  CHECK(all.urls() == Strings{"https://e.example/%41%20%FF.html", "https://e.example/empty.html",
                              "https://e.example/new%0Aline.html"});
  REQUIRE(all.problems.size() == 1);
  CHECK(all.problems[0].kind == ProblemKind::too_large);
}

TEST_CASE("files are decoded by many threads, after the source has gone") {
  Folder folder;
  for (int i = 0; i < 100; ++i) folder.file(std::to_string(i), std::string(1000 + i, 'x'));
  std::vector<std::unique_ptr<RawCapture>> raw;
  {
    auto source = folder.open({.base_url = "https://e.example/"});
    std::vector<Problem> problems;
    while (auto capture = std::move(*source->next(problems))) raw.push_back(std::move(capture));
  }
  REQUIRE(raw.size() == 100);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < raw.size(); i += 4) {
        const Decoded decoded = raw[i]->decode();
        if (decoded.captures.size() != 1 || decoded.captures[0].bytes().size() != raw[i]->size()) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4, 0));
}
