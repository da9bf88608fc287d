#include "segment/links.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

using namespace blockarch;

namespace {

std::vector<std::string> values(ByteView html) {
  std::vector<std::string> out;
  for (const Link& link : find_links(html)) out.push_back(link.value);
  return out;
}

std::vector<std::string> sources(ByteView html) {
  std::vector<std::string> out;
  for (const Link& link : find_links(html)) out.emplace_back(html.substr(link.begin, link.end - link.begin));
  return out;
}

using Strings = std::vector<std::string>;

// Every link replaced by the same URL.
std::string with(ByteView html, const std::string& url) {
  return replace_links(html, [&](const Link&) { return url; });
}

Bytes unchanged(ByteView html) {
  return replace_links(html, [](const Link&) { return std::nullopt; });
}

// Every link replaced by its own value: the bytes may be escaped otherwise but must say the same.
void require_same_meaning(ByteView html) {
  const Bytes again = replace_links(html, [](const Link& link) { return link.value; });
  const std::vector<Link> before = find_links(html);
  const std::vector<Link> after = find_links(again);
  REQUIRE(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    REQUIRE(before[i].kind == after[i].kind);
    const bool whole = before[i].kind == LinkKind::attribute || before[i].kind == LinkKind::base;
    if (whole) REQUIRE(before[i].value == after[i].value);
  }
}

void require_ordered(ByteView html, const std::vector<Link>& links) {
  std::uint64_t last = 0;
  for (const Link& link : links) {
    REQUIRE(link.begin >= last);
    REQUIRE(link.end >= link.begin);
    REQUIRE(link.end <= html.size());
    last = link.end;
  }
}

Url url(std::string_view text) {
  const auto parsed = parse_url(text);
  REQUIRE(parsed);
  return *parsed;
}

std::string resolved(std::string_view value, std::string_view base, std::string_view charset = "utf-8") {
  const auto target = resolve_link(value, url(base), charset);
  if (!target) return "none";
  return target->url.href + (target->fragment ? "#" + *target->fragment : "");
}

}  // namespace

TEST_CASE("URLs are found in every attribute that holds one") {
  CHECK(values("<a href=\"1\"><img src='2' longdesc=3><form action=\"4\"><button formaction=\"5\">"
               "<video poster=\"6\"><object data=\"7\"><blockquote cite=\"8\"><td background=\"9\">"
               "<use xlink:href=\"10\">") == Strings{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
  CHECK(values("<p data=\"x\" title=\"y\" data-src=\"z\" id=href>").empty());
}

TEST_CASE("references to parts of a graphic are no links, those of anchors are") {
  CHECK(values("<use href='#a'><use xlink:href=#b><use href='c.svg#d'><a href=#e>") == Strings{"c.svg#d", "#e"});
}

TEST_CASE("a link's range is the value as written and its value is decoded") {
  const std::string page = "<A HREF = 'a?b=1&amp;c=2&#38;d' class=x>";
  const auto links = find_links(page);
  REQUIRE(links.size() == 1);
  CHECK(page.substr(links[0].begin, links[0].end - links[0].begin) == "a?b=1&amp;c=2&#38;d");
  CHECK(links[0].value == "a?b=1&c=2&d");
  CHECK(links[0].quote == LinkQuote::single);
  CHECK(find_links("<a href=x>")[0].quote == LinkQuote::none);
  CHECK(find_links("<a href=\"x\">")[0].quote == LinkQuote::double_);
}

TEST_CASE("references without a semicolon follow the rules of attributes") {
  CHECK(values("<a href=\"?a&copy=1&lt&x\">") == Strings{"?a&copy=1<&x"});
}

TEST_CASE("only the first base with an href is the base") {
  const auto links = find_links("<base target=_top><base href=\"/a/\"><a href=b><base href=/c/>");
  REQUIRE(links.size() == 3);
  CHECK(links[0].kind == LinkKind::base);
  CHECK(links[0].value == "/a/");
  CHECK(links[1].kind == LinkKind::attribute);
  CHECK(links[2].kind == LinkKind::attribute);
}

TEST_CASE("srcset candidates are found one by one") {
  CHECK(values("<img srcset=\"a.png 1x, b,c.png 2x,d.png, e.png 100w 50h,,\">") ==
        Strings{"a.png", "b,c.png", "d.png", "e.png"});
  CHECK(values("<img srcset=\"a(1).png foo(1,2) , data:x,y 3x\">") == Strings{"a(1).png", "data:x,y"});
  CHECK(sources("<img srcset=\"a?x=1&amp;y=2 1x, b&#44;c 2x\">") == Strings{"a?x=1&amp;y=2", "b&#44;c"});
  CHECK(values("<img srcset=\" , \"><source srcset=\"\">").empty());
}

TEST_CASE("a meta refresh's URL is found however it is written") {
  CHECK(values("<meta http-equiv=refresh content=\"5; url=next\">") == Strings{"next"});
  CHECK(values("<meta content=\"0;URL='next page'\" http-equiv=\"Refresh\">") == Strings{"next page"});
  CHECK(values("<meta http-equiv=refresh content=\"0;next\">") == Strings{"next"});
  CHECK(values("<meta http-equiv=refresh content='1 , url = \"x\" y'>") == Strings{"x"});
  CHECK(sources("<meta http-equiv=refresh content=\"0;url=&#39;a&amp;b&#39;\">") == Strings{"a&amp;b"});
  CHECK(values("<meta http-equiv=refresh content=\"5\">").empty());
  CHECK(values("<meta http-equiv=refresh content=\"url=x\">").empty());
  CHECK(values("<meta name=refresh content=\"5; url=next\">").empty());
}

TEST_CASE("URLs in style sheets are found, not those in their comments and strings") {
  CHECK(values("<style>@import 'a.css'; @IMPORT url(b.css); p { background: URL( \"c.png\" ) } /* url(d) */"
               "q::before { content: 'url(e)' } b { background: curl(f), url(g h), url(i\\)), url(), "
               "url(\"j\"k\") }</style>") == Strings{"a.css", "b.css", "c.png"});
  CHECK(sources("<p style=\"background: url(&quot;a.png?x&amp;y&quot;), url('b')\">") == Strings{"a.png?x&amp;y", "b"});
  CHECK(values("<style>a{b:url(x)}") == Strings{"x"});
  CHECK(values("<style>a<b</styl{b:url(x)}</style><p>url(y)") == Strings{"x"});
}

TEST_CASE("markup inside scripts, comments and text elements holds no links") {
  CHECK(values("<script>'<a href=1>'</script><!-- <a href=2> --><title><a href=3></title><textarea><a href=4>"
               "</textarea><iframe><a href=5></iframe><a href=6>") == Strings{"6"});
  CHECK(values("<noscript><img src=1></noscript>") == Strings{"1"});
  CHECK(values("<plaintext><a href=1>").empty());
}

TEST_CASE("an empty text element inside a graphic does not hide what follows") {
  CHECK(values("<svg><style/><title/><a href=1></svg><a href=2>") == Strings{"1", "2"});
  CHECK(values("<svg></svg><title/><a href=1></title><a href=2>") == Strings{"2"});
}

TEST_CASE("a replaced URL is escaped for the place it stands in") {
  const std::string url = "a&b\"c'd <e>";
  CHECK(with("<a href=\"x\">", url) == "<a href=\"a&amp;b&#34;c'd &lt;e>\">");
  CHECK(with("<a href='x'>", url) == "<a href='a&amp;b\"c&#39;d &lt;e>'>");
  CHECK(with("<a href=x class=y>", url) == "<a href=a&amp;b&#34;c&#39;d&#32;&lt;e&#62; class=y>");
  CHECK(with("<img srcset=\"x 1x,y 2x\">", ",a b,") == "<img srcset=\"%2Ca%20b%2C 1x,%2Ca%20b%2C 2x\">");
  CHECK(with("<style>a{b:url(x)}</style>", "a b)</style>") == "<style>a{b:url(a%20b%29%3C/style%3E)}</style>");
  CHECK(with("<p style='b:url(\"x\")'>", "a&'(") == "<p style='b:url(\"a&amp;%27%28\")'>");
  CHECK(with("<meta http-equiv=refresh content=\"0;url='x'\">", "it's") ==
        "<meta http-equiv=refresh content=\"0;url='it%27s'\">");
  CHECK(with("<base href=http://a/ target=b>", "") == "<base href=\"\" target=b>");
  for (const char* page : {"<a href=\"x\">", "<a href='x'>", "<a href=x class=y>"}) {
    CHECK(values(with(page, url)) == Strings{url});
  }
}

TEST_CASE("only the links that the caller changes are changed") {
  const std::string page = "<A  HREF=a&b>\r\n<img\tsrc = 'b' alt=\"&copy\"><a href=\"c\" >\x80</a  ><!--";
  CHECK(replace_links(page, [](const Link& link) -> std::optional<std::string> {
          if (link.value == "b") return "new";
          return std::nullopt;
        }) == "<A  HREF=a&b>\r\n<img\tsrc = 'new' alt=\"&copy\"><a href=\"c\" >\x80</a  ><!--");
}

TEST_CASE("unfinished and broken markup is left as it is") {
  for (const char* page : {"",
                           "<",
                           "<a",
                           "<a href",
                           "<a href=",
                           "<a href=\"x",
                           "<a href='",
                           "<a href=x",
                           "<a href=&am",
                           "<style>a{b:url(",
                           "<style>a{b:url('",
                           "<style>@import",
                           "<p style=\"url(\">",
                           "<p style=url(>",
                           "<img srcset>",
                           "<img srcset=>",
                           "<meta http-equiv=refresh content>",
                           "<meta http-equiv=refresh content=\"0;url='\">",
                           "</a href=x>",
                           "<!-- <a href=x>"}) {
    CHECK(unchanged(page) == page);
    CHECK(find_links(page).empty());
  }
}

TEST_CASE("no bytes whatever are changed where no link is") {
  std::mt19937 random(7);
  const std::string letters = "<>/=\"' &;,()#xurlhrefsctyaimgbdo\n\r\t\\@*-!";
  const Strings words = {"<a href=",
                         "<img srcset=\"",
                         "<style>",
                         "</style>",
                         "url(",
                         "\"",
                         "'",
                         ">",
                         " ",
                         "&amp;",
                         "&#3",
                         "<svg>",
                         "<title/>",
                         "<meta http-equiv=refresh content='0;url=",
                         "<base href=",
                         "<!--",
                         "-->",
                         "<script>",
                         "@import '",
                         "\x80\xff",
                         std::string(1, '\0'),
                         "style=\""};
  for (int i = 0; i < 3000; ++i) {
    std::string page;
    const int parts = static_cast<int>(random() % 60);
    for (int n = 0; n < parts; ++n) {
      if (i % 3 == 0) page += static_cast<char>(random());
      if (i % 3 == 1) page += letters[random() % letters.size()];
      if (i % 3 == 2) page += words[random() % words.size()] + letters[random() % letters.size()];
    }
    REQUIRE(unchanged(page) == page);
    require_ordered(page, find_links(page));
    require_same_meaning(page);
  }
}

TEST_CASE("hostile pages are read in linear time and give back their bytes") {
  const auto repeated = [](const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
  };
  std::string names = "<a";
  for (int i = 0; i < 100'000; ++i) names += " n" + std::to_string(i) + "=1";
  std::string tags;
  for (int i = 0; i < 100'000; ++i) tags += "<t" + std::to_string(i) + " a" + std::to_string(i) + "=1>";
  tags += "<a href=last>";
  CHECK(values(tags) == Strings{"last"});
  for (const std::string& page :
       {names + ">", tags, repeated("<style>url(", 50'000), repeated("url(", 200'000),
        "<style>" + repeated("url(", 200'000), "<style>" + repeated("/*", 200'000),
        "<p style='" + repeated("url(\"", 100'000) + "'>", "<img srcset='" + repeated("(", 300'000) + "'>",
        "<img srcset='" + repeated(",a,", 200'000) + "'>", "<img srcset='" + repeated("&#", 300'000) + "'>",
        std::string(1'000'000, '\0'), repeated("<div>", 100'000), "<a " + repeated("href=x ", 600'000) + ">",
        "<svg>" + repeated("<svg>", 100'000)}) {
    REQUIRE(unchanged(page) == page);
  }
}

TEST_CASE("links resolve as browsers resolve them") {
  const std::string base = "https://example.com/a/b.html?q=1";
  CHECK(resolved("c.html", base) == "https://example.com/a/c.html");
  CHECK(resolved("../c", base) == "https://example.com/c");
  CHECK(resolved("../../../c", base) == "https://example.com/c");
  CHECK(resolved("./", base) == "https://example.com/a/");
  CHECK(resolved("/c?x#y", base) == "https://example.com/c?x#y");
  CHECK(resolved("//other.org/c", base) == "https://other.org/c");
  CHECK(resolved("\\\\other.org\\c", base) == "https://other.org/c");
  CHECK(resolved("\\c", base) == "https://example.com/c");
  CHECK(resolved("http://Other.ORG:80", base) == "http://other.org/");
  CHECK(resolved("?z", base) == "https://example.com/a/b.html?z");
  CHECK(resolved("", base) == "https://example.com/a/b.html?q=1");
  CHECK(resolved("#top", base) == "https://example.com/a/b.html?q=1#top");
  CHECK(resolved("#", base) == "https://example.com/a/b.html?q=1#");
  CHECK(resolved("  c\n.ht\tml ", base) == "https://example.com/a/c.html");
  CHECK(resolved("a b?c d#e f", base) == "https://example.com/a/a%20b?c%20d#e%20f");
  CHECK(resolved("https:c", base) == "https://example.com/a/c");
  CHECK(resolved("https:/c", base) == "https://example.com/c");
  CHECK(resolved("http:c", base) == "http://c/");
  CHECK(resolved("mailto:x@y", base) == "mailto:x@y");
  CHECK(resolved("a:b/c", base) == "a:b/c");
  CHECK(resolved("./a:b", base) == "https://example.com/a/a:b");
  CHECK(resolved("1:b", base) == "https://example.com/a/1:b");
  CHECK(resolved("http://", base) == "none");
  CHECK(resolved("x", "mailto:a") == "none");
  CHECK(resolved("#x", "mailto:a") == "mailto:a#x");
  CHECK(resolved("x", "foo://host") == "foo://host/x");
  CHECK(resolved(std::string(70'000, 'x'), base) == "none");
}

TEST_CASE("links of pages in other charsets resolve as browsers resolve them") {
  const std::string base = "https://example.com/";
  CHECK(resolved("caf\xc3\xa9?\xc3\xa9#\xc3\xa9", base) == "https://example.com/caf%C3%A9?%C3%A9#%C3%A9");
  CHECK(resolved("caf\xe9?\xe9#\xe9", base, "windows-1252") == "https://example.com/caf%C3%A9?%E9#%C3%A9");
  CHECK(resolved("\x83\x5c.html", base, "shift_jis") == "https://example.com/%E3%82%BD.html");
}
