#include "engine/site.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/lmdb.h"
#include "engine/site_directory.h"
#include "engine/site_links.h"
#include "engine/site_names.h"
#include "refs/tables.h"
#include "segment/links.h"
#include "tests/support/sample_pages.h"
#include "tests/support/test_archive.h"

using namespace blockarch;
namespace fs = std::filesystem;

namespace {

Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * 86'400);
}

Bytes read(const fs::path& path) {
  INFO(path);
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      out.push_back(static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

// Where a browser that shows `file` goes for a link in it.
fs::path follow(const fs::path& file, std::string_view link) {
  const std::string path = percent_decoded(link.substr(0, link.find('#')));
  return path.empty() ? file : (file.parent_path() / path).lexically_normal();
}

std::vector<std::string> links_of(ByteView page) {
  std::vector<std::string> values;
  for (const Link& link : find_links(page)) values.push_back(link.value);
  return values;
}

// All files, relative.
std::vector<std::string> files_in(const fs::path& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (!entry.is_directory()) files.push_back(fs::relative(entry.path(), directory).string());
  std::sort(files.begin(), files.end());
  return files;
}

class TestSite : public TestArchive {
 public:
  std::string directory() const { return target_.path() + "/site"; }
  fs::path file(const std::string& path) const { return fs::path(directory()) / path; }

  SiteReport checkout(const SiteOptions& options = {}) { return must(checkout_site(snapshot(), directory(), options)); }

 private:
  TemporaryDirectory target_;
};

SiteNames names_of(const std::vector<std::string>& urls) {
  SiteNames names;
  for (const std::string& url : urls) names.add(must(parse_url(url)), "text/html");
  names.assign();
  return names;
}

std::string local(const std::string& page, const std::string& url, const SiteNames& names,
                  const std::string& charset = "utf-8") {
  return with_local_links(page, must(parse_url(url)), charset, names).bytes;
}

using Strings = std::vector<std::string>;

void erase_objects(const std::string& archive, const std::vector<Hash256>& ids) {
  LmdbOptions options;
  options.tables = table_names();
  Lmdb lmdb = must(Lmdb::open(archive + "/" + kHotFile, options));
  const Table objects = find_tables(lmdb).objects;
  must(lmdb.write([&](WriteTransaction& transaction) -> Result<void> {
    for (const Hash256& id : ids) BA_TRY(transaction.erase(objects, id.view()));
    return {};
  }));
}

}  // namespace

TEST_CASE("the links of a checked-out site lead to its files") {
  TestSite site;
  const std::map<std::string, std::string> pages = {
      {"https://example.com/", "<a href='/about'>About</a> <a href=news/?p=1&amp;q=2>News</a> <img src=logo.png>"},
      {"https://example.com/about", "<a href='//example.com/#top'>Home</a> <a href='?x'>none</a>"},
      {"https://example.com/news/?p=1&q=2", "<a href=\"../about#team\">A</a><a href='http://other.org/a%20b'>O</a>"},
      {"http://other.org/a b", "<a href='https://EXAMPLE.com:443/news/../about'>x</a>"},
  };
  for (const auto& [url, page] : pages) {
    const std::string escaped = url == "http://other.org/a b" ? "http://other.org/a%20b" : url;
    site.add(escaped, page, day(0));
  }
  site.add("https://example.com/logo.png", "\x89PNG\r\n\x1a\n", day(0), "image/png");

  const SiteReport report = site.checkout();
  CHECK(report.pages == 5);
  CHECK(report.skipped == 0);
  CHECK(report.problems.empty());
  CHECK(report.links_rewritten == 7);

  const auto home = site.file("example.com/index.html");
  const auto home_links = links_of(read(home));
  REQUIRE(home_links.size() == 3);
  CHECK(follow(home, home_links[0]) == site.file("example.com/about.html"));
  CHECK(follow(home, home_links[2]) == site.file("example.com/logo.png"));
  const auto news = follow(home, home_links[1]);
  const auto news_links = links_of(read(news));
  CHECK(news_links[0] == "../about.html#team");
  const auto other = follow(news, news_links[1]);
  CHECK(other == site.file("other.org/a b.html"));
  CHECK(links_of(read(other)) == Strings{"../example.com/about.html"});
  CHECK(links_of(read(site.file("example.com/about.html"))) == Strings{"index.html#top", "?x"});
  site.require_clean();
}

TEST_CASE("a site is written as of a date") {
  TestSite site;
  site.add("https://e.com/a", "<a href=b>old</a>", day(0));
  site.add("https://e.com/a", "<a href=b>new</a>", day(10));
  site.add("https://e.com/b", "late", day(5));
  const SiteReport report = site.checkout({.at = day(3), .filter = {}, .progress = {}});
  CHECK(report.pages == 1);
  CHECK(report.skipped == 1);
  // b was not there then.
  CHECK(read(site.file("e.com/a.html")) == "<a href=b>old</a>");
  CHECK(files_in(site.directory()) == Strings{"e.com/a.html", "index.html"});
}

TEST_CASE("an exact checkout has the captured bytes") {
  TestSite site;
  const Bytes page = "<base href=/><a href=b>x</a>\r\n\xff<A HREF='/a'>";
  site.add("https://e.com/a", page, day(0));
  site.add("https://e.com/b", page + "b", day(0));
  SiteOptions options;
  options.exact = true;
  const SiteReport report = site.checkout(options);
  CHECK(report.links_rewritten == 0);
  CHECK(report.bytes == 2 * page.size() + 1);
  CHECK(read(site.file("e.com/a.html")) == page);
  CHECK(read(site.file("e.com/b.html")) == page + "b");
}

TEST_CASE("only pages of HTML in charsets with ASCII markup are rewritten") {
  TestSite site;
  const Bytes page = "<a href=a>x</a>";
  Bytes wide = "\xff\xfe";
  for (char c : page) wide += {c, '\0'};
  site.add("https://e.com/a", page, day(0));
  site.add("https://e.com/text.txt", page, day(0), "text/plain");
  site.add("https://e.com/wide", wide, day(0), "text/html; charset=utf-16");
  site.add("https://e.com/xhtml", page, day(0), "application/xhtml+xml");
  CHECK(site.checkout().links_rewritten == 2);
  CHECK(read(site.file("e.com/text.txt")) == page);
  CHECK(read(site.file("e.com/wide.html")) == wide);
  CHECK(read(site.file("e.com/xhtml.xhtml")) == "<a href=a.html>x</a>");
}

TEST_CASE("a filter chooses the pages and progress counts them") {
  TestSite site;
  site.add("https://e.com/a", "<a href=//f.com/>x</a>", day(0));
  site.add("https://e.com/b", "b", day(0));
  site.add("https://f.com/", "f", day(0));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;
  SiteOptions options;
  options.filter.host = "e.com";
  options.progress = [&](std::uint64_t done, std::uint64_t total) { steps.emplace_back(done, total); };
  CHECK(site.checkout(options).pages == 2);
  CHECK(files_in(site.directory()) == Strings{"e.com/a.html", "e.com/b.html", "index.html"});
  CHECK(read(site.file("e.com/a.html")) == "<a href=//f.com/>x</a>");
  CHECK(steps == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 2}, {2, 2}});
}

TEST_CASE("a damaged page is a problem of the report and the rest is written") {
  TestSite site;
  const std::string url = "https://e.com/b";
  site.add("https://e.com/a", "<a href=b>x</a>", day(0));
  site.add(url, sample_page(10), day(0));
  const VersionId lost = site.add("https://e.com/c", "c", day(0)).version;
  site.add("https://e.com/d", "d", day(0));
  // A block of one page is lost, and of another page all that says what it is.
  const VersionInfo info = must(site.snapshot().version_info(site.log(url).at(0).version));
  const auto block = std::find_if(info.blocks.begin(), info.blocks.end(), [](const BlockInfo& b) { return b.is_leaf; });
  REQUIRE(block != info.blocks.end());
  erase_objects(site.path(), {block->content.hash, lost.hash});

  const SiteReport report = site.checkout();
  CHECK(report.pages == 2);
  REQUIRE(report.problems.size() == 2);
  CHECK(report.problems[0].starts_with("https://e.com/c: "));
  CHECK(report.problems[1].starts_with("https://e.com/b: "));
  CHECK(files_in(site.directory()) == Strings{"e.com/a.html", "e.com/d.html", "index.html"});
  CHECK(read(site.file("index.html")).find("<del>https://e.com/b</del>") != std::string::npos);
}

TEST_CASE("an error to write ends the checkout and says how much was written") {
  TestSite site;
  for (const char* url : {"https://e.com/a", "https://e.com/b", "https://e.com/c"}) site.add(url, "x", day(0));
  SiteOptions options;
  options.progress = [&](std::uint64_t, std::uint64_t) { std::ofstream(site.file("e.com/b.html")) << "in the way"; };
  const auto result = checkout_site(site.snapshot(), site.directory(), options);
  REQUIRE(!result);
  CHECK(result.error().message.find("e.com/b.html") != std::string::npos);
  CHECK(result.error().message.find("1 of 3 pages were written to " + site.directory()) != std::string::npos);
  CHECK(read(site.file("e.com/b.html")) == "in the way");
}

TEST_CASE("hostile names stay inside the directory") {
  TestSite site;
  for (const char* url :
       {"https://e.com/..%2f..%2f..%2fetc%2fpasswd", "urn:../../../../escape", "https://e.com/%00",
        "https://../..%5c..", "file:///etc/passwd", "https://index.html/", "https://e.com/.git/config"}) {
    site.add(url, "x", day(0));
  }
  const SiteReport report = site.checkout();
  CHECK(report.pages == 7);
  CHECK(report.problems.empty());
  CHECK(files_in(site.directory()).size() == 8);
  CHECK(files_in(fs::path(site.directory()).parent_path()).size() == 8);
}

TEST_CASE("the table of contents lists every page, escaped, and links to its file") {
  TestSite site;
  site.add("https://e.com/a?x=<script>alert(1)</script>&y", "12345", day(0));
  site.add("https://e.com/b%20c", "1", day(1));
  site.checkout();
  const std::string index = read(site.file("index.html"));
  CHECK(index.find("<script") == std::string::npos);
  CHECK(index.find("?x=&lt;script&gt;alert(1)&lt;/script&gt;&amp;y</a>") != std::string::npos);
  CHECK(index.find(format_rfc3339(day(1))) != std::string::npos);
  CHECK(index.find("5 B") != std::string::npos);
  const auto links = links_of(index);
  REQUIRE(links.size() == 2);
  CHECK(read(follow(site.file("index.html"), links[0])) == "12345");
  CHECK(follow(site.file("index.html"), links[1]) == site.file("e.com/b c.html"));
}

TEST_CASE("a directory that holds anything is refused and left as it is") {
  TestSite site;
  site.add("https://e.com/a", "x", day(0));
  fs::create_directories(site.directory());
  std::ofstream(site.file("mine")) << "mine";
  const auto refused = checkout_site(site.snapshot(), site.directory(), {});
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::invalid);
  CHECK(files_in(site.directory()) == Strings{"mine"});
  const auto onto_file = checkout_site(site.snapshot(), site.file("mine").string(), {});
  REQUIRE(!onto_file);
  CHECK(onto_file.error().code == ErrorCode::invalid);
  CHECK(read(site.file("mine")) == "mine");
}

TEST_CASE("an empty directory and a missing one with its parents are filled") {
  TestSite site;
  site.add("https://e.com/a", "x", day(0));
  fs::create_directories(site.directory());
  CHECK(site.checkout().pages == 1);
  const std::string deep = site.directory() + "-2/a/b";
  CHECK(must(checkout_site(site.snapshot(), deep, {})).pages == 1);
  CHECK(read(deep + "/e.com/a.html") == "x");
}

TEST_CASE("an archive without pages gives an empty table of contents") {
  TestSite site;
  const SiteReport report = site.checkout();
  CHECK(report.pages == 0);
  CHECK(files_in(site.directory()) == Strings{"index.html"});
}

TEST_CASE("symbolic links inside the directory are not followed and files not written over") {
  TemporaryDirectory outside;
  TemporaryDirectory parent;
  SiteDirectory directory = must(SiteDirectory::create(parent.path() + "/site"));
  fs::create_directory_symlink(outside.path(), directory.path() + "/link");
  fs::create_symlink(outside.path() + "/new", directory.path() + "/file");
  CHECK(!directory.write_file("link/x", "1"));
  CHECK(!directory.write_file("file", "1"));
  CHECK(files_in(outside.path()).empty());
  must(directory.write_file("a/b", "1"));
  CHECK(!directory.write_file("a/b", "2"));
  CHECK(!directory.write_file("a", "2"));
  CHECK(!directory.write_file("a/b/c", "2"));
  CHECK(read(directory.path() + "/a/b") == "1");
  for (const char* name : {"", "/x", "../x", "a/../x", "a//x", "a/", "."}) {
    INFO(name);
    const auto written = directory.write_file(name, "1");
    REQUIRE(!written);
    CHECK(written.error().code == ErrorCode::invalid);
  }
  CHECK(!fs::exists(parent.path() + "/x"));
}

TEST_CASE("a link finds its page under the other scheme and with or without a final slash") {
  const SiteNames names = names_of({"https://e.com/a", "http://e.com/b/", "https://e.com/c?x"});
  const std::string page = "https://e.com/a";
  CHECK(local("<a href=http://e.com/a>", page, names) == "<a href=a.html>");
  CHECK(local("<a href=/a/#f>", page, names) == "<a href=#f>");
  CHECK(local("<a href=/b>", page, names) == "<a href=b/index.html>");
  CHECK(local("<a href=/c/?x>", page, names).starts_with("<a href=c@x~"));
  CHECK(local("<a href=/c>", page, names) == "<a href=/c>");
  CHECK(local("<a href=https://e.com>", page, names) == "<a href=https://e.com>");
}

TEST_CASE("links inside the page, to elsewhere and to nothing stay") {
  const SiteNames names = names_of({"https://e.com/a", "https://e.com/b"});
  const std::string page =
      "<a href=#x><a href=\"\"><a href='mailto:x@e.com'><a href=javascript:b><img src='data:image/png,b'>"
      "<a href=//f.com/b><a href=c?b><a href='http://'><p style='fill:url(#b)'>";
  CHECK(local(page, "https://e.com/a", names) == page);
  CHECK(local(page + "<a href=b>", "https://e.com/a", names) == page + "<a href=b.html>");
}

TEST_CASE("a base is taken out where links become relative, and what it bent is made absolute") {
  const SiteNames names = names_of({"https://e.com/x/a", "https://e.com/x/b", "https://e.com/c"});
  const std::string page = "https://e.com/x/a";
  CHECK(local("<base href=/><a href=c><a href=d?e&amp;f#g><a href=#h><img src=http://f.com/i><a href=x/a#j>", page,
              names) ==
        "<base href=\"\"><a href=../c.html><a href=https://e.com/d?e&amp;f#g><a href=https://e.com/#h>"
        "<img src=http://f.com/i><a href=#j>");
  // The base counts for links before it too, and only the first one does.
  CHECK(local("<a href=c><base href='/'><base href='/x/'>", page, names) ==
        "<a href=../c.html><base href=''><base href='https://e.com/x/'>");
  CHECK(local("<base href='javascript:x'><a href=b>", page, names) == "<base href=''><a href=b.html>");
  const std::string untouched = "<base href=/y/><a href=b><a href=#x>";
  CHECK(local(untouched, page, names) == untouched);
}

TEST_CASE("links in every form lead to the file") {
  const SiteNames names = names_of({"https://e.com/x/a", "https://e.com/b", "https://e.com/caf%C3%A9?%E9"});
  const std::string page = "https://e.com/x/a";
  CHECK(local("<img srcset='/b 1x, ../b 2x,/z 3x'>", page, names) == "<img srcset='../b.html 1x, ../b.html 2x,/z 3x'>");
  CHECK(local("<meta http-equiv=refresh content='0; url=/b'>", page, names) ==
        "<meta http-equiv=refresh content='0; url=../b.html'>");
  CHECK(local("<style>@import '/b';p{background:url(/b)}</style>", page, names) ==
        "<style>@import '../b.html';p{background:url(../b.html)}</style>");
  CHECK(local("<form action=/b><a href=' /&#98;\n '>", page, names) == "<form action=../b.html><a href='../b.html'>");
  CHECK(local("<a href='/caf\xe9?\xe9'>", page, names, "windows-1252").starts_with("<a href='../caf%25C3%25A9@"));
}

TEST_CASE("relative links lead from one file to another") {
  CHECK(relative_link("a/b.html", "a/b.html") == "b.html");
  CHECK(relative_link("a/b.html", "a/c d%.html") == "c%20d%25.html");
  CHECK(relative_link("a/b/c.html", "a/d.html") == "../d.html");
  CHECK(relative_link("a/bc/d", "a/be/f") == "../be/f");
  CHECK(relative_link("a/b", "c/d/e") == "../c/d/e");
  CHECK(relative_link("", "c/d") == "c/d");
}
