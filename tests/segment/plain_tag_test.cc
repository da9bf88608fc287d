#include "segment/plain_tag.h"

#include <catch2/catch_test_macros.hpp>

#include "segment/html_elements.h"

using namespace blockarch;

namespace {

std::string id_of(ByteView bytes) {
  const PlainTag tag = read_plain_tag(bytes);
  REQUIRE(tag.size == bytes.size());
  return std::string(bytes.substr(tag.id_begin, tag.id_size));
}

// Begins, ends and names of the elements, and their ids.
std::string ranges(ByteView page) {
  std::string out;
  for (const Element& element : html_elements(page).elements) {
    if (element.dropped) continue;
    out += std::to_string(element.begin) + '-' + std::to_string(element.inner_begin) + '-' +
           std::to_string(element.inner_end) + '-' + std::to_string(element.end) + ' ' +
           std::string(page.substr(element.id_begin, element.id_size)) + '\n';
  }
  return out;
}

// A tag with ">" in a value is not plain; `?` is the same tag with a letter instead.
std::string with_sign(std::string page, char sign) {
  for (char& c : page) {
    if (c == '?') c = sign;
  }
  return page;
}

}  // namespace

TEST_CASE("plain tags are read with their names, ends and slashes", "[segment]") {
  const PlainTag start = read_plain_tag("<DIV class=a>text>");
  CHECK(start.tag == tag_by_name("div"));
  CHECK(start.size == 13);
  CHECK(start.name_end == 4);
  CHECK_FALSE(start.closing);
  CHECK_FALSE(start.self_closing);
  CHECK(read_plain_tag("<br/>").self_closing);
  CHECK(read_plain_tag("<br a=\"b\"/>").self_closing);
  CHECK_FALSE(read_plain_tag("<br a=b/>").self_closing);
  CHECK_FALSE(read_plain_tag("<br / >").self_closing);
  const PlainTag end = read_plain_tag("</h1>");
  CHECK(end.closing);
  CHECK(end.tag == tag_by_name("h1"));
  CHECK(end.size == 5);
}

TEST_CASE("what is no plain tag is left to lexbor", "[segment]") {
  for (const ByteView bytes : {"<",      "</",    "<a",     "<a ",           "<a b",   "<a b=",       "<a b='c",
                               "<a b=c", "< a>",  "<1>",    "</ a>",         "</a b>", "<!-- -->",    "<?a>",
                               "<foo>",  "<a:b>", "<my-p>", "<blockquotes>", "<p<b>",  "<a b=\">\">", "<a b='>'>"}) {
    INFO(bytes);
    CHECK(read_plain_tag(bytes).size == 0);
  }
}

TEST_CASE("the id of a plain tag is found as browsers read attributes", "[segment]") {
  CHECK(id_of("<p id=a>") == "a");
  CHECK(id_of("<p ID = 'a b' >") == "a b");
  CHECK(id_of("<p\n/id=\"a\"class=b>") == "a");
  CHECK(id_of("<p =id=a>") == "");
  CHECK(id_of("<p idx=a xid=b class='id=c'>") == "");
  CHECK(id_of("<p id=>") == "");
  CHECK(id_of("<p id>") == "");
  CHECK(id_of("<p id class=a>") == "");
  CHECK(id_of("<p a = id=b>") == "");
  CHECK(id_of("<p title='x'id=a/>") == "a/");
}

TEST_CASE("a page has the same elements whether its tags are plain or not", "[segment]") {
  for (const std::string_view page :
       {"<html t='?'><head t='?'><title t='?'>a < b</title><style t='?'>p > b</style></head><body t='?'>x<p t='?'>y",
        "<table t='?'> <tr t='?'>text<td t='?'>a<td t='?'>b</table>", "<p t='?'>a<b t='?'>b<div id=x t='?'>c</b>d</p>",
        "<svg t='?'><g t='?'/><p t='?'>out</svg><script t='?'>'<p>'</script><p t='?'>z", "<br t='?'/>a</br>b</p>c",
        "  <!-- c --> <p t='?'> &nbsp; <textarea t='?'><p></textarea><frameset t='?'>",
        "<ul t='?'><li t='?'>1<li t='?' id='?'>2</ul>after</body></html> <p t='?'>more"}) {
    INFO(page);
    const std::string plain = ranges(with_sign(std::string(page), 'x'));
    std::string other = ranges(with_sign(std::string(page), '>'));
    for (char& c : other) c = c == '>' ? 'x' : c;
    CHECK(plain == other);
  }
}
