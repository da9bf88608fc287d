#include "transfer/path_url.h"

#include <catch2/catch_test_macros.hpp>

#include "base/url.h"
#include "transfer/file_type.h"

using namespace blockarch;

TEST_CASE("a path is encoded so that a URL can hold it") {
  CHECK(encode_path("a/b c.html") == "a/b%20c.html");
  CHECK(encode_path("Größe/x") == "Gr%C3%B6%C3%9Fe/x");
  CHECK(encode_path("a%20b%zz%") == "a%20b%25zz%25");
  CHECK(encode_path("a?b#c") == "a%3Fb%23c");
  CHECK(encode_path("Terms of Service & more (EU).html") == "Terms%20of%20Service%20&%20more%20(EU).html");
  CHECK(encode_path(std::string("\x01\xFF\n", 3)) == "%01%FF%0A");
}

TEST_CASE("names that wget made give the URL they were made from") {
  CHECK(encode_saved_path("index.html").empty());
  CHECK(encode_saved_path("a/index.html") == "a/");
  CHECK(encode_saved_path("a/index.html?x=1") == "a/?x=1");
  CHECK(encode_saved_path("a/page.php?x=1&y=a b") == "a/page.php?x=1&y=a%20b");
  CHECK(encode_saved_path("a/page.php@x=1") == "a/page.php?x=1");
  CHECK(encode_saved_path("a/logo@2x.png") == "a/logo@2x.png");
  CHECK(encode_saved_path("a/@x=1") == "a/@x=1");
  CHECK(encode_saved_path("my-index.html") == "my-index.html");
  CHECK(encode_saved_path("a/page?u=%2Fb?c#d") == "a/page?u=%2Fb?c%23d");
}

TEST_CASE("paths are put behind a base or where it has a place for them") {
  CHECK(PathUrl::parse("https://example.org/docs")->url("a/b.html") == "https://example.org/docs/a/b.html");
  CHECK(PathUrl::parse("https://example.org/docs/")->url("a") == "https://example.org/docs/a");
  CHECK(PathUrl::parse("https://example.org/?p={path}&x")->url("a/b") == "https://example.org/?p=a/b&x");
  CHECK(PathUrl::parse("https://example.org/{stem}/")->url("a.b/c.d.html") == "https://example.org/a.b/c.d/");
  CHECK(PathUrl::parse("https://example.org/{stem}")->url("a.b/.c") == "https://example.org/a.b/.c");
  for (const char* bad : {"example.org", "https://a.example/?x", "https://a.example/#x", "", "https:// /{path}",
                          "https://a.example/{path}/{stem}"}) {
    INFO(bad);
    const auto made = PathUrl::parse(bad);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code == ErrorCode::invalid);
  }
}

TEST_CASE("names of hosts are told from names of other directories") {
  for (const char* host : {"example.org", "www.example.co.uk", "example.org:8080", "example.org+8080", "localhost",
                           "localhost:80", "192.168.0.1", "xn--bcher-kva.example", "bücher.example"}) {
    INFO(host);
    CHECK(looks_like_host(host));
    CHECK(parse_url("https://" + host_of_name(host) + "/").has_value());
  }
  for (const char* other : {"", ".", "..", "docs", "page_files", "example.org_files", "v1.2", "a..b", ".git", "x.",
                            "1.2.3", "two words.org", "example.org:", "example.org:123456", "a.1b", "-a.org"}) {
    INFO(other);
    CHECK_FALSE(looks_like_host(other));
  }
}

TEST_CASE("a file's type comes from its name where that fits its bytes") {
  CHECK(content_type_of_file("a/style.css", "p { }") == "text/css");
  CHECK(content_type_of_file("a/page.HTML?x=1.css", "no markup") == "text/html");
  CHECK(content_type_of_file("page.html", "\x89PNG\r\n\x1A\n and so on").empty());
  CHECK(content_type_of_file("page.php", "<p>").empty());
  CHECK(content_type_of_file("page", "<p>").empty());
}
