#include "base/url.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace blockarch;

namespace {

// The href, or the error's message.
std::string href(std::string_view text) {
  const Result<Url> url = parse_url(text);
  if (url) return url->href;
  CHECK(url.error().code == ErrorCode::invalid);
  return url.error().message;
}

std::string key(std::string_view text) {
  const Result<Url> url = parse_url(text);
  REQUIRE(url);
  CHECK(url->key == url_key(*url));
  return url->key;
}

bool says(std::string_view text, std::string_view reason) {
  const Result<Url> url = parse_url(text);
  return !url && url.error().code == ErrorCode::invalid && url.error().message.find(reason) != std::string::npos;
}

}  // namespace

TEST_CASE("a URL is taken apart and kept as given", "[url]") {
  const Result<Url> url = parse_url("HTTPS://Www.Example.com:8080/a/../b?c=1&d#part");
  REQUIRE(url);
  CHECK(url->given == "HTTPS://Www.Example.com:8080/a/../b?c=1&d#part");
  CHECK(url->href == "https://www.example.com:8080/b?c=1&d");
  CHECK(url->scheme == "https");
  CHECK(url->host == "www.example.com");
  CHECK(url->path == "/b");
  CHECK(url->query == "c=1&d");
  CHECK(url->has_query);
  CHECK(url->key == "com,example,www)/b?c=1&d :8080 https");
}

TEST_CASE("hosts are written in one way", "[url]") {
  CHECK(href("http://EXAMPLE.com") == "http://example.com/");
  CHECK(href("https:example.com") == "https://example.com/");
  CHECK(href("https:/\\/example.com") == "https://example.com/");
  CHECK(href("http://ex%61mple.com/") == "http://example.com/");
  CHECK(href("http://%45xample.com/") == "http://example.com/");
  CHECK(href("http://b\xc3\xbc"
             "cher.example/") == "http://xn--bcher-kva.example/");
  CHECK(href("http://B\xc3\x9c"
             "CHER.example/") == "http://xn--bcher-kva.example/");
  CHECK(href("http://b%C3%BCcher.example/") == "http://xn--bcher-kva.example/");
  CHECK(href("http://xn--bcher-kva.example/") == "http://xn--bcher-kva.example/");
  CHECK(href("http://fa\xc3\x9f.de/") == "http://xn--fa-hia.de/");
  CHECK(href("http://a\xe3\x80\x82"
             "b/") == "http://a.b/");
  CHECK(href("http://example.com./") == "http://example.com./");
  CHECK(href("http://a_b.example/") == "http://a_b.example/");
}

TEST_CASE("IP addresses are written in one way", "[url]") {
  CHECK(href("http://127.0.0.1/") == "http://127.0.0.1/");
  CHECK(href("http://0x7f.1/") == "http://127.0.0.1/");
  CHECK(href("http://2130706433/") == "http://127.0.0.1/");
  CHECK(href("http://[::1]:80/") == "http://[::1]/");
  CHECK(href("http://[2001:DB8:0:0::1]:8080/") == "http://[2001:db8::1]:8080/");
  CHECK(says("http://1.2.3.4.5/", "IP address"));
  CHECK(says("http://1.2.3.400/", "IP address"));
  CHECK(says("http://[::1/", "IP address"));
  CHECK(says("http://[1::2::3]/", "IP address"));
}

TEST_CASE("the default port is dropped, others are kept", "[url]") {
  CHECK(href("http://example.com:80/") == "http://example.com/");
  CHECK(href("https://example.com:443/") == "https://example.com/");
  CHECK(href("https://example.com:80/") == "https://example.com:80/");
  CHECK(href("http://example.com:/") == "http://example.com/");
  CHECK(href("http://example.com:00081/") == "http://example.com:81/");
  CHECK(href("foo://example.com:80/") == "foo://example.com:80/");
  CHECK(says("http://example.com:65536/", "port"));
  CHECK(says("http://example.com:x/", "port"));
}

TEST_CASE("credentials are kept", "[url]") {
  CHECK(href("https://user:pw@example.com/") == "https://user:pw@example.com/");
  CHECK(href("https://user:@example.com/") == "https://user@example.com/");
  CHECK(href("https://:pw@example.com/") == "https://:pw@example.com/");
  CHECK(href("https://@example.com/") == "https://example.com/");
  CHECK(href("https://a@b.org@example.com/") == "https://a%40b.org@example.com/");
  CHECK(href("https://a@:@example.com/") == "https://a%40@example.com/");
  CHECK(href("https://\xc3\xbc:\xff@example.com/") == "https://%C3%BC:%FF@example.com/");
  CHECK(parse_url("https://user:pw@example.com/")->host == "example.com");
}

TEST_CASE("paths are normalised as the standard says", "[url]") {
  CHECK(href("http://h/a/./b/../c") == "http://h/a/c");
  CHECK(href("http://h/../../a") == "http://h/a");
  CHECK(href("http://h/a/..") == "http://h/");
  CHECK(href("http://h/a/.") == "http://h/a/");
  CHECK(href("http://h/%2e/%2E%2e/.%2e/a") == "http://h/a");
  CHECK(href("http://h/...") == "http://h/...");
  CHECK(href("http://h/a\\b") == "http://h/a/b");
  CHECK(href("foo://h/a\\b") == "foo://h/a\\b");
  CHECK(href("http://h/%7Ea%2fb") == "http://h/%7Ea%2fb");
  CHECK(href("http://h/a\"<>`{}|^'") == "http://h/a%22%3C%3E%60%7B%7D|^'");
  CHECK(href("http://h/%zz%") == "http://h/%zz%");
  CHECK(href("foo://h") == "foo://h");
  CHECK(href("foo://h/..") == "foo://h/");
}

TEST_CASE("empty segments are not lost", "[url]") {
  CHECK(href("http://h//a") == "http://h//a");
  CHECK(href("http://h//./a") == "http://h//a");
  CHECK(href("http://h//") == "http://h//");
  CHECK(href("http://h//\xc3\xbc") == "http://h//%C3%BC");
  CHECK(href("http://h//<") == "http://h//%3C");
  CHECK(href("http://h/a//..") == "http://h/a/");
}

TEST_CASE("a question mark or number sign ends the path wherever it stands", "[url]") {
  CHECK(href("http://h/.?a") == "http://h/?a");
  CHECK(href("http://h//.?a") == "http://h//?a");
  CHECK(href("http://h/%?a") == "http://h/%?a");
  CHECK(href("http://h/%#a") == "http://h/%");
  CHECK(href("http://h/..#/a") == "http://h/");
  CHECK(href("http://h?a/../b") == "http://h/?a/../b");
  CHECK(href("http://h#a?b") == "http://h/");
  CHECK(href("mailto:x#y") == "mailto:x");
}

TEST_CASE("an empty query is told from none", "[url]") {
  const Result<Url> with = parse_url("http://h/?");
  const Result<Url> without = parse_url("http://h/");
  REQUIRE((with && without));
  CHECK((with->has_query && with->query.empty() && with->href == "http://h/?"));
  CHECK_FALSE(without->has_query);
  CHECK(with->key == "h)/? http");
  CHECK(without->key == "h)/ http");
}

TEST_CASE("queries are encoded as the standard says", "[url]") {
  CHECK(href("http://h/?\xc3\xbc\"<>'`{}?") == "http://h/?%C3%BC%22%3C%3E%27`{}?");
  CHECK(href("foo://h/?'\"") == "foo://h/?'%22");
  CHECK(href("http://h/?a=%41&b=%zz") == "http://h/?a=%41&b=%zz");
}

TEST_CASE("bytes that are not UTF-8 stay apart", "[url]") {
  CHECK(href("http://h/\xfc?\xfd") == "http://h/%FC?%FD");
  CHECK(href("http://h/\xe4\xbd?a") == "http://h/%E4%BD?a");
  CHECK(href("http://h/\xe4\xbd") == "http://h/%E4%BD");
  CHECK(href("data:\xff") == "data:%FF");
  CHECK(href("foo://\xff/") == "foo://%FF/");
}

TEST_CASE("URLs of other schemes are kept", "[url]") {
  struct Case {
    const char* given;
    const char* href;
    const char* host;
    const char* path;
    const char* key;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"mailto:x@y.example?subject=a", "mailto:x@y.example?subject=a", "", "x@y.example",
            ")x@y.example?subject=a mailto"},
           {"mailto:x", "mailto:x", "", "x", ")x mailto"},
           {"dns:example.com", "dns:example.com", "", "example.com", ")example.com dns"},
           {"urn:uuid:6ba7b810", "urn:uuid:6ba7b810", "", "uuid:6ba7b810", ")uuid:6ba7b810 urn"},
           {"filedesc:a.warc.gz", "filedesc:a.warc.gz", "", "a.warc.gz", ")a.warc.gz filedesc"},
           {"filedesc://a.warc.gz", "filedesc://a.warc.gz", "a.warc.gz", "", "gz,warc,a) filedesc"},
           {"metadata://Gnu.org/a/../b?c", "metadata://Gnu.org/b?c", "Gnu.org", "/b", "org,Gnu)/b?c metadata"},
           {"data:text/plain,a%20<b>", "data:text/plain,a%20<b>", "", "text/plain,a%20<b>", ")text/plain,a%20<b> data"},
           {"file:///etc/x", "file:///etc/x", "", "/etc/x", ")/etc/x file"},
           {"file:/etc/x", "file:///etc/x", "", "/etc/x", ")/etc/x file"},
           {"file://localhost/x", "file:///x", "", "/x", ")/x file"},
           {"file://host/x", "file://host/x", "host", "/x", "host)/x file"},
           {"file:///C|/../a", "file:///C:/a", "", "/C:/a", ")/C:/a file"},
           {"file://C:/a", "file:///C:/a", "", "/C:/a", ")/C:/a file"},
           {"file:", "file:///", "", "/", ")/ file"},
           {"foo:", "foo:", "", "", ") foo"},
           {"foo://", "foo://", "", "", ") foo://"},
           {"foo:/x", "foo:/x", "", "/x", ")/x foo"},
           {"foo:///x", "foo:///x", "", "/x", ")/x foo://"},
           {"foo:/.//x", "foo:/.//x", "", "//x", ")//x foo"},
           {"foo:////x", "foo:////x", "", "//x", ")//x foo://"},
           {"about:blank", "about:blank", "", "blank", ")blank about"},
           {"web+app:a", "web+app:a", "", "a", ")a web+app"},
       }) {
    CAPTURE(c.given);
    const Result<Url> url = parse_url(c.given);
    REQUIRE(url);
    CHECK(url->href == c.href);
    CHECK(url->host == c.host);
    CHECK(url->path == c.path);
    CHECK(url->key == c.key);
  }
}

TEST_CASE("URLs inside URLs, at signs and dates are ordinary text", "[url]") {
  CHECK(href("http://h/a@2024-05-01") == "http://h/a@2024-05-01");
  CHECK(href("https://h/web/20240501000000/http://y.example/@x~2") ==
        "https://h/web/20240501000000/http://y.example/@x~2");
  CHECK(key("https://h/@x?u=http://a:b@c/") == "h)/@x?u=http://a:b@c/ https");
}

TEST_CASE("a text without a scheme is refused with a hint", "[url]") {
  CHECK(says("example.com", "write \"https://example.com\""));
  CHECK(says("example.com/a:b", "write \"https://example.com/a:b\""));
  CHECK(says("//example.com/", "no scheme"));
  CHECK(says("/a", "no scheme"));
  CHECK(says("1http://h/", "no scheme"));
  CHECK(says(":", "no scheme"));
  CHECK(says("h\xc3\xbc:x", "no scheme"));
  CHECK(says("example.com:8080/a", "write \"https://example.com:8080/a\""));
  CHECK(says("example.com:8080", "no scheme"));
  CHECK(says("localhost:8080?a", "no scheme"));
  CHECK(says("localhost:8080#a", "no scheme"));
  CHECK(href("tel:8080") == "tel:8080");
  CHECK(href("com.example.app:/a") == "com.example.app:/a");
}

TEST_CASE("blanks and control bytes are refused wherever they stand", "[url]") {
  for (const char c : {'\0', '\x01', '\t', '\n', '\r', '\x1f', ' ', '\x7f'}) {
    const std::string bad(1, c);
    for (const std::string& text :
         {bad + "http://h/a", "http://h/a" + bad, "http://h/" + bad + "a", "ht" + bad + "tp://h/",
          "http://h" + bad + "/", "mailto:a" + bad, "http://h/#" + bad}) {
      CAPTURE(text);
      CHECK(says(text, "space or a control character"));
    }
  }
}

TEST_CASE("bad hosts are refused", "[url]") {
  for (const char* text : {"http://",
                           "http:///",
                           "http://?a",
                           "http://#",
                           "http://user@/",
                           "http://:80/",
                           "foo://:80/",
                           "foo://u@/",
                           "http://a%00b/",
                           "http://a<b/",
                           "http://a%2fb/",
                           "http://a%252fb/",
                           "foo://a^b/",
                           "http://[zz]/",
                           "http://a\xef\xbc\x8f"
                           "b/",
                           "http://\xe2\x84\x80/",
                           "http://xn--a/",
                           "http://xn--.com/",
                           "http://xn--google-.com/",
                           "http://XN--google-\xe3\x80\x82"
                           "com/",
                           "file://a:80/"}) {
    CAPTURE(text);
    CHECK(says(text, "host"));
  }
  CHECK(says("", "empty"));
}

TEST_CASE("hosts that are not UTF-8 are refused", "[url]") {
  CHECK(says("http://\xfc.example/", "not UTF-8"));
  CHECK(says("http://%FC.example/", "not UTF-8"));
  // Overlong forms of "evil".
  CHECK(says("http://%C1%A5%C1%B6%C1%A9%C1%AC.com/", "not UTF-8"));
  CHECK(says("http://\xc1\xa5.com/", "not UTF-8"));
}

TEST_CASE("an error is one printable line that names the text", "[url]") {
  CHECK(says("http://\n", "\"http://\\n\""));
  const std::string message = href("http://h/\n\x01\xff" + std::string(60'000, 'x'));
  CHECK(message.size() < 500);
  CHECK(std::none_of(message.begin(), message.end(), [](char c) { return c >= 0 && c < 0x20; }));
}

TEST_CASE("length is limited before and after encoding", "[url]") {
  const std::string start = "http://h/";
  CHECK(parse_url(start + std::string(kMaxUrlLength - start.size(), 'a')));
  CHECK(says(start + std::string(kMaxUrlLength - start.size() + 1, 'a'), "longer than 65536"));
  CHECK(parse_url(start + std::string(21'000, '\xff')));
  CHECK(says(start + std::string(22'000, '\xff'), "canonical form is longer"));
  CHECK(parse_url("http://" + std::string(kMaxUrlHost, 'a') + "/"));
  CHECK(says("http://" + std::string(kMaxUrlHost + 1, 'a') + "/", "host is longer"));
}

TEST_CASE("keys sort a site together and keep its variants apart", "[url]") {
  CHECK(key("https://www.example.com:8080/a?b=1") == "com,example,www)/a?b=1 :8080 https");
  CHECK(key("https://user:pw@example.com/") == "com,example)/ https user:pw");
  CHECK(key("http://127.0.0.1:81/a") == "127.0.0.1)/a :81 http");
  CHECK(key("http://[::1]/") == "[::1])/ http");
  CHECK(key("http://localhost/") == "localhost)/ http");
  CHECK(key("http://example.com./") == ",com,example)/ http");
  CHECK(key("http://a,b.example/") == "example,a^,b)/ http");
  CHECK(key("http://b.a/") == "a,b)/ http");
  CHECK(key("http://a,b/") == "a^,b)/ http");
  CHECK(key("http://h/a#b") == key("http://h/a"));
  std::vector<std::string> keys;
  for (const char* url : {"http://example.com/", "https://example.com/", "http://example.com/a",
                          "https://example.com/a", "http://www.example.com/", "http://example.org/"})
    keys.push_back(key(url));
  CHECK(std::is_sorted(keys.begin(), keys.end()));
}

TEST_CASE("host prefixes select a host or its subdomains", "[url]") {
  CHECK(host_key_prefix("www.example.com", false) == "com,example,www)");
  CHECK(host_key_prefix("example.com", true) == "com,example,");
  CHECK(host_key_prefix("127.0.0.1", false) == "127.0.0.1)");
  CHECK(host_key_prefix("a,b", false) == "a^,b)");
  CHECK(key("https://www.example.com/x").starts_with(host_key_prefix("www.example.com", false)));
  CHECK(key("https://www.example.com/x").starts_with(host_key_prefix("example.com", true)));
  CHECK_FALSE(key("https://example.com/x").starts_with(host_key_prefix("example.com", true)));
  CHECK_FALSE(key("https://www.examples.com/x").starts_with(host_key_prefix("example.com", true)));
  CHECK_FALSE(key("https://example.com.evil.org/x").starts_with(host_key_prefix("example.com", false)));
}

TEST_CASE("a long key is cut, stays unique and near its neighbours", "[url]") {
  const std::string start = "https://www.example.com/" + std::string(60'000, 'a');
  const std::string one = key(start + "1");
  const std::string two = key(start + "2");
  CHECK(one.size() == kMaxUrlKey);
  CHECK(two.size() == kMaxUrlKey);
  CHECK(one != two);
  CHECK(key("http" + start.substr(5) + "1") != one);
  CHECK(one.starts_with("com,example,www)/aaaa"));
  const std::size_t mark = kMaxUrlKey - 34;
  CHECK(one.substr(mark, 2) == " #");
  CHECK(one.find_first_not_of("0123456789abcdef", mark + 2) == std::string::npos);
  CHECK(one.substr(0, mark) == two.substr(0, mark));
}

TEST_CASE("a key of exactly the limit is not cut, one byte more is", "[url]") {
  const std::string fields = "h)/ http";
  const std::string fits = key("http://h/" + std::string(kMaxUrlKey - fields.size(), 'a'));
  CHECK(fits.size() == kMaxUrlKey);
  CHECK(fits.ends_with("a http"));
  const std::string cut = key("http://h/" + std::string(kMaxUrlKey - fields.size() + 1, 'a'));
  CHECK(cut.size() == kMaxUrlKey);
  CHECK_FALSE(cut.ends_with("http"));
}

TEST_CASE("every href is canonical and every key belongs to one href", "[url]") {
  const std::vector<std::string> pieces{"http",
                                        "https",
                                        "foo",
                                        "file",
                                        "ws",
                                        "mailto",
                                        ":",
                                        "//",
                                        "/",
                                        "\\",
                                        "..",
                                        ".",
                                        "%2e",
                                        "%41",
                                        "@",
                                        "a",
                                        "B",
                                        "?",
                                        "#",
                                        "&=",
                                        ",",
                                        ")",
                                        ":80",
                                        ":8080",
                                        "%",
                                        "%00",
                                        "%2F",
                                        "[::1]",
                                        "C:",
                                        "C|",
                                        "~",
                                        "'",
                                        "\"",
                                        "<",
                                        "^",
                                        "|",
                                        "{",
                                        "-",
                                        "_",
                                        "%ff",
                                        "\xff",
                                        "\xe4\xbd",
                                        "\xc0\xaf",
                                        "xn--",
                                        "xn--bcher-kva",
                                        "b\xc3\xbc"
                                        "cher",
                                        "\xe2\x98\x83",
                                        "\xe3\x80\x82",
                                        "1.2.3.4",
                                        "0x7f",
                                        "localhost",
                                        "example.com",
                                        "\xcc\x88"};
  std::mt19937 random(17);
  std::map<std::string, std::string> href_of_key;
  for (int i = 0; i < 40'000; ++i) {
    std::string text;
    if (random() % 4 != 0) text = pieces[random() % 6] + ":" + (random() % 2 ? "//" : "") + (random() % 2 ? "h" : "");
    for (auto n = random() % 9; n > 0; --n) text += pieces[random() % pieces.size()];
    if (i % 500 == 0) text += std::string(random() % 2000, 'x');
    const std::vector<char> exact(text.begin(), text.end());
    const Result<Url> url = parse_url(std::string_view(exact.data(), exact.size()));
    if (!url) continue;
    CAPTURE(text, url->href, url->key);
    const Result<Url> again = parse_url(url->href);
    REQUIRE(again);
    REQUIRE(again->href == url->href);
    REQUIRE(again->key == url->key);
    REQUIRE(url->key.size() <= kMaxUrlKey);
    REQUIRE(std::all_of(url->href.begin(), url->href.end(), [](char c) { return c > 0x20 && c < 0x7f; }));
    REQUIRE(url->href.find('#') == std::string::npos);
    const auto [known, fresh] = href_of_key.emplace(url->key, url->href);
    REQUIRE(known->second == url->href);
    if (url->key.size() < kMaxUrlKey) REQUIRE(url->key.starts_with(host_key_prefix(url->host, false)));
  }
  CHECK(href_of_key.size() > 5'000);
}
