#include "engine/site_names.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>

#include "base/hash.h"

using namespace blockarch;

namespace {

struct Named {
  std::string url;
  std::string type = "text/html";
};

Url url(const std::string& text) {
  const auto parsed = parse_url(text);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

std::string mark(const std::string& text) {
  return "~" + blake3(url(text).href).hex().substr(0, 8);
}

// What the header promises of every path.
void require_safe(const std::string& path) {
  INFO(path);
  REQUIRE(path.size() <= kMaxNamePath);
  REQUIRE(path.find('/') != std::string::npos);
  REQUIRE(path != kSiteIndex);
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string segment = path.substr(at, slash - at);
    at = slash + 1;
    REQUIRE(!segment.empty());
    REQUIRE(segment.size() <= kMaxNameSegment);
    REQUIRE(segment.front() != '.');
    REQUIRE(segment.front() != '-');
    REQUIRE(segment.back() != '.');
    REQUIRE(segment.back() != ' ');
    for (char c : segment) {
      REQUIRE(c >= 0x20);
      REQUIRE(c < 0x7f);
      REQUIRE(std::string_view("\\:*?\"<>|/`$;#").find(c) == std::string_view::npos);
    }
    std::string base = segment.substr(0, segment.find('.'));
    std::transform(base.begin(), base.end(), base.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    while (base.ends_with(' ')) base.pop_back();
    for (const char* device : {"CON", "PRN", "AUX", "NUL", "COM1", "COM9", "LPT1", "LPT9"}) REQUIRE(base != device);
  }
}

// No two the same in either case, none a directory of another.
void require_apart(const std::vector<std::string>& paths) {
  std::set<std::string> files;
  std::set<std::string> directories;
  for (std::string path : paths) {
    std::transform(path.begin(), path.end(), path.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    INFO(path);
    REQUIRE(files.insert(path).second);
    for (std::size_t slash; (slash = path.rfind('/')) != std::string::npos;) {
      path.resize(slash);
      directories.insert(path);
    }
  }
  for (const std::string& file : files) {
    INFO(file);
    REQUIRE(!directories.contains(file));
  }
}

std::vector<std::string> names(const std::vector<Named>& urls) {
  SiteNames site;
  for (const Named& named : urls) site.add(url(named.url), named.type);
  site.assign();
  std::vector<std::string> paths;
  for (const Named& named : urls) {
    paths.emplace_back(site.path_of(url(named.url).href));
    require_safe(paths.back());
  }
  require_apart(paths);
  return paths;
}

std::string name(const std::string& text, const std::string& type = "text/html") {
  return names({{text, type}}).at(0);
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("plain URLs get the names one expects") {
  CHECK(name("https://example.com/") == "example.com/index.html");
  CHECK(name("https://example.com/a/b/") == "example.com/a/b/index.html");
  CHECK(name("https://example.com/a/b") == "example.com/a/b.html");
  CHECK(name("https://example.com/a/b.html") == "example.com/a/b.html");
  CHECK(name("https://example.com/a/b.HTM") == "example.com/a/b.HTM");
  CHECK(name("https://example.com:8080/a") == "example.com_8080/a.html");
  CHECK(name("http://[::1]:81/a") == "__1_81/a.html");
  CHECK(name("https://user:1@example.com/a") == "example.com/a.html");
  CHECK(name("urn:isbn:1") == "urn/isbn%3A1.html");
}

TEST_CASE("a name ends in what its media type needs") {
  CHECK(name("https://e.com/a.php") == "e.com/a.php.html");
  CHECK(name("https://e.com/a.png") == "e.com/a.png.html");
  CHECK(name("https://e.com/a.png", "image/png") == "e.com/a.png");
  CHECK(name("https://e.com/a.jpeg", "image/jpeg") == "e.com/a.jpeg");
  CHECK(name("https://e.com/style", "text/css") == "e.com/style.css");
  CHECK(name("https://e.com/style.php", "text/css") == "e.com/style.php.css");
  CHECK(name("https://e.com/a.html", "image/gif") == "e.com/a.html.gif");
  CHECK(name("https://e.com/a.html", "text/plain") == "e.com/a.html.txt");
  CHECK(name("https://e.com/a.c", "text/plain") == "e.com/a.c");
  CHECK(name("https://e.com/v1.2", "text/plain") == "e.com/v1.2.txt");
  CHECK(name("https://e.com/feed/", "application/rss+xml") == "e.com/feed/index.xml");
  CHECK(name("https://e.com/feed.rss", "application/rss+xml") == "e.com/feed.rss");
  CHECK(name("https://e.com/a", "application/x-whatever") == "e.com/a.bin");
  CHECK(name("https://e.com/a.tar.gz", "application/x-whatever") == "e.com/a.tar.gz");
  CHECK(name("https://e.com/a.html", "application/xhtml+xml") == "e.com/a.html.xhtml");
}

TEST_CASE("a query is shown in the name and told apart by a mark") {
  const std::string one = "https://e.com/a.php?id=1&x=y/z";
  CHECK(name(one) == "e.com/a.php@id=1_x=y_z" + mark(one) + ".html");
  CHECK(name("https://e.com/a/b/?c") == "e.com/a/b/index@c" + mark("https://e.com/a/b/?c") + ".html");
  const std::string style = "https://e.com/style.css?v=2";
  CHECK(name(style, "text/css") == "e.com/style@v=2" + mark(style) + ".css");
  CHECK(name("https://e.com/?") == "e.com/index@" + mark("https://e.com/?") + ".html");
  names({{"https://e.com/?a=1"},
         {"https://e.com/?a=2"},
         {"https://e.com/?A=1"},
         {"https://e.com/?a/1"},
         {"https://e.com/?"},
         {"https://e.com/"},
         {"https://e.com/?" + std::string(5000, 'x')},
         {"https://e.com/?" + std::string(5001, 'x')}});
}

TEST_CASE("names from the web cannot leave the directory or hide in it") {
  CHECK(name("https://e.com/../../etc/passwd") == "e.com/etc/passwd.html");
  CHECK(name("https://e.com/%2e%2e/%2E%2E/etc") == "e.com/etc.html");
  CHECK(name("https://e.com/..%2f..%2fetc") == "e.com/%2E.%2F..%2Fetc.html");
  CHECK(name("https://e.com/..%5c..%5cetc") == "e.com/%2E.%5C..%5Cetc.html");
  CHECK(name("urn:../../etc/passwd") == "urn/%2E%2E/%2E%2E/etc/passwd.html");
  CHECK(name("foo:/../a") == "foo/a.html");
  CHECK(name("https://e.com//a//b") == "e.com/_/a/_/b.html");
  CHECK(name("https://e.com/.git/config") == "e.com/%2Egit/config.html");
  CHECK(name("https://e.com/-rf") == "e.com/%2Drf.html");
  CHECK(name("https://e.com/a%00b") == "e.com/a%00b.html");
  CHECK(name("https://e.com/a%0ab%7f%1b") == "e.com/a%0Ab%7F%1B.html");
  CHECK(name("file:///etc/passwd") == "file/etc/passwd.html");
  CHECK(name("https://../a") == "%2E%2E/a.html");
  CHECK(name("http://index.html/") == "_index.html/index.html");
}

TEST_CASE("characters that some file system refuses are percent-encoded") {
  CHECK(name("https://e.com/a:b*c|d") == "e.com/a%3Ab%2Ac%7Cd.html");
  CHECK(name("https://e.com/%3Ca%3E%22%3F") == "e.com/%3Ca%3E%22%3F.html");
  CHECK(name("https://e.com/a%20b") == "e.com/a b.html");
  CHECK(name("https://e.com/%20a%20/b") == "e.com/%20a%20/b.html");
  CHECK(name("https://e.com/a./b..") == "e.com/a%2E/b.%2E.html");
  CHECK(name("https://e.com/100%") == "e.com/100%25.html");
  CHECK(name("https://e.com/100%25") == "e.com/100%25.html");
  CHECK(name("https://e.com/caf%C3%A9") == "e.com/caf%C3%A9.html");
  CHECK(name("https://e.com/Foo_%28bar%29") == "e.com/Foo_(bar).html");
}

TEST_CASE("names that Windows keeps for devices are changed") {
  CHECK(name("https://e.com/CON") == "e.com/_CON.html");
  CHECK(name("https://e.com/nul.png", "image/png") == "e.com/_nul.png");
  CHECK(name("https://e.com/com1/lpt9.a.b/x") == "e.com/_com1/_lpt9.a.b/x.html");
  CHECK(name("https://e.com/con%20.txt", "text/plain") == "e.com/_con .txt");
  CHECK(name("https://aux.example.com/") == "_aux.example.com/index.html");
  CHECK(name("https://e.com/console") == "e.com/console.html");
}

TEST_CASE("long names are cut and stay apart") {
  const std::string a(300, 'a');
  const std::string url_a = "https://e.com/" + a;
  CHECK(name(url_a) == "e.com/" + a.substr(0, 106) + mark(url_a) + ".html");
  std::string deep = "https://e.com";
  for (int i = 0; i < 600; ++i) deep += "/d" + std::to_string(i);
  std::string escapes = "https://e.com/";
  for (int i = 0; i < 200; ++i) escapes += "%E4%BD%A0";
  const auto paths = names({{url_a},
                            {url_a + "b"},
                            {url_a + "/x"},
                            {url_a + "/y"},
                            {url_a + "b/x"},
                            {deep},
                            {deep + "/x"},
                            {deep + "/"},
                            {escapes},
                            {escapes + "a"},
                            {"https://e.com/" + a + ".png", "image/png"}});
  // Pages of one directory stay in one directory.
  CHECK(paths[2].substr(0, paths[2].rfind('/')) == paths[3].substr(0, paths[3].rfind('/')));
  CHECK(paths[2].substr(0, paths[2].rfind('/')) != paths[4].substr(0, paths[4].rfind('/')));
  CHECK(paths[10].ends_with(".png"));
}

TEST_CASE("names that differ only in case are told apart") {
  const auto paths = names({{"https://e.com/Page"}, {"https://e.com/page"}, {"https://e.com/PAGE"}});
  CHECK(paths == Strings{"e.com/Page" + mark("https://e.com/Page") + ".html",
                         "e.com/page" + mark("https://e.com/page") + ".html", "e.com/PAGE.html"});
  names({{"https://e.com/A/x"}, {"https://e.com/a/X"}, {"https://e.com/a/y"}});
}

TEST_CASE("a file gives way to a directory of the same name") {
  const std::string a = "https://e.com/a.html";
  CHECK(names({{a}, {"https://e.com/a.html/b"}}) == Strings{"e.com/a" + mark(a) + ".html", "e.com/a.html/b.html"});
  CHECK(names({{"https://e.com/a.png", "image/png"}, {"https://e.com/A.PNG/b"}}).at(1) == "e.com/A.PNG/b.html");
  CHECK(names({{"https://e.com/a"}, {"https://e.com/a/"}, {"https://e.com/a/b"}}) ==
        Strings{"e.com/a.html", "e.com/a/index.html", "e.com/a/b.html"});
}

TEST_CASE("of two schemes https keeps the plain name") {
  const std::string plain = "http://e.com/a";
  CHECK(names({{plain}, {"https://e.com/a"}}) == Strings{"e.com/a" + mark(plain) + ".html", "e.com/a.html"});
}

TEST_CASE("a URL whose name looks like another's mark is told apart") {
  const std::string victim = "https://e.com/a?x";
  const std::string path = name(victim);
  names({{victim}, {"https://e.com/" + path.substr(path.find('/') + 1)}, {"https://e.com/a@x" + mark(victim)}});
}

TEST_CASE("names do not depend on the order in which URLs come") {
  std::vector<Named> urls;
  for (const char* text : {"https://e.com/a", "http://e.com/a", "https://e.com/A", "https://e.com/a.html",
                           "https://e.com/a.html/b", "https://e.com/a/", "https://e.com//a", "https://e.com/_/a",
                           "https://e.com/%61", "https://e.com/a?", "https://e.com/a~", "https://u@e.com/a"}) {
    if (url(text).href == text) urls.push_back({text});
  }
  std::set<std::pair<std::string, std::string>> expected;
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(urls.begin(), urls.end(), random);
    const auto paths = names(urls);
    std::set<std::pair<std::string, std::string>> now;
    for (std::size_t i = 0; i < urls.size(); ++i) now.emplace(urls[i].url, paths[i]);
    if (round == 0) expected = now;
    REQUIRE(now == expected);
  }
}

TEST_CASE("random URLs get safe names that stay apart") {
  std::mt19937 random(11);
  const Strings parts = {"a",
                         "A",
                         "/",
                         "//",
                         "..",
                         ".",
                         "%2e",
                         "%2F",
                         "%5C",
                         "%00",
                         "%",
                         "?",
                         "con",
                         "NUL",
                         "COM1",
                         ".html",
                         ".png",
                         " ",
                         "%20",
                         "~",
                         "-",
                         "\xc3\xa9",
                         "\xff",
                         "index",
                         ":",
                         "*",
                         "|",
                         "=",
                         "&",
                         std::string(50, 'x'),
                         std::string(200, '/'),
                         "_"};
  const Strings hosts = {"https://e.com/", "http://e.com/", "https://E.com:81/", "urn:", "foo:///", "https://con/"};
  const Strings types = {"text/html", "image/png", "", "text/plain"};
  for (int round = 0; round < 30; ++round) {
    std::vector<Named> urls;
    std::set<std::string> seen;
    for (int i = 0; i < 120; ++i) {
      std::string text = hosts[random() % hosts.size()];
      const int count = static_cast<int>(random() % 12);
      for (int n = 0; n < count; ++n) text += parts[random() % parts.size()];
      const auto parsed = parse_url(text);
      if (parsed && seen.insert(parsed->href).second) urls.push_back({text, types[random() % types.size()]});
    }
    names(urls);
  }
}
