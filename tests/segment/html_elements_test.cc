#include "segment/html_elements.h"

#include <algorithm>
#include <thread>
#include <tuple>

#include "tests/segment/segment_checks.h"

using namespace blockarch;

namespace {

// "html(head(title)body(p p))", implied tags without a name.
void write_shape(ByteView payload, const ElementTree& tree, std::uint32_t element, std::string& out) {
  bool first = true;
  for (std::uint32_t i = tree.elements[element].first_child; i != kNoElement; i = tree.elements[i].next_sibling) {
    if (!first && out.back() != ')') out += ' ';
    first = false;
    out += element_name(payload, tree.elements[i]);
    if (tree.elements[i].first_child == kNoElement) continue;
    out += '(';
    write_shape(payload, tree, i, out);
    out += ')';
  }
}

std::string shape(ByteView payload) {
  std::string out;
  write_shape(payload, html_elements(payload), 0, out);
  return out;
}

// The bytes of the n-th element of that name, from its start tag to its end tag.
std::string bytes_of(ByteView payload, const std::string& name, int n = 0) {
  for (const Element& element : html_elements(payload).elements) {
    if (element.dropped || element_name(payload, element) != name) continue;
    if (n-- == 0) return std::string(payload.substr(element.begin, element.end - element.begin));
  }
  return "(none)";
}

}  // namespace

TEST_CASE("elements have the ranges of their tags") {
  const std::string page = "<html><body class='a>b'><div id=x title=\"1>2\">one<p>two</p></div ></body></html>";
  CHECK(shape(page) == "html(body(div(p)))");
  CHECK(bytes_of(page, "p") == "<p>two</p>");
  CHECK(bytes_of(page, "div") == "<div id=x title=\"1>2\">one<p>two</p></div >");
  CHECK(bytes_of(page, "body") == page.substr(6, page.size() - 13));
  const ElementTree tree = html_elements(page);
  for (const Element& element : tree.elements) {
    if (element_name(page, element) != "div") continue;
    CHECK(page.substr(element.id_begin, element.id_size) == "x");
    CHECK(page.substr(element.inner_begin, element.inner_end - element.inner_begin) == "one<p>two</p>");
  }
}

TEST_CASE("a script or style ends where a browser ends it, however it is read") {
  // Written plainly and with an attribute that the tokenizer has to read.
  for (const std::string open : {"<script>", "<script a='>' >", "<STYLE>", "<style a='>'>"}) {
    const bool script = open.find("cri") != std::string::npos;
    const std::string name = script ? "script" : "style";
    INFO(open);
    const auto inner = [&](const std::string& content, const std::string& close) {
      const std::string page = "<body>" + open + content + close + "<p>after</p>";
      CHECK(bytes_of(page, "p") == "<p>after</p>");
      const ElementTree tree = html_elements(page);
      for (const Element& element : tree.elements) {
        if (element.dropped || element.end - element.begin < open.size() || element.begin != 6) continue;
        return page.substr(element.inner_begin, element.inner_end - element.inner_begin);
      }
      return std::string("(none)");
    };
    for (const std::string& close :
         {"</" + name + ">", "</" + name + " >", "</" + name + "/>", "</" + name + " x=1>", "</" + name + "\n>"}) {
      for (const std::string content :
           {"", "x", "a < b </b> </", "</scrip </scripts> </styles>", "<p>no paragraph</p>"}) {
        CHECK(inner(content, close) == content);
      }
    }
    // Raw text longer than what is handed to the parser at a time, so that its end tag lies across two pieces.
    for (std::size_t size = 65520; size < 65545; ++size) {
      CHECK(inner(std::string(size, 'x'), "</" + name + ">").size() == size);
    }
    // In a script "<!--" with a script inside hides the first end tag; in a style it means nothing.
    const std::string hidden = "<!-- <script> </script> -->";
    if (script) CHECK(inner(hidden, "</script>") == hidden);
    if (!script) CHECK(inner("<!-- x", "</style>") == "<!-- x");
    CHECK(shape("<body>" + open + "never ends <p> </" + name) ==
          "(body(" + std::string(script ? "script" : open.substr(1, 5)) + "))");
  }
}

TEST_CASE("damaged end tags of raw text are read the same wherever the page lies in memory") {
  for (const std::string damaged :
       {"</title/", "</title/ a>", "</title/a=b>x", "</title /", "</title a='", "</titlex/>", "</title"}) {
    for (const std::string open : {"<title>", "<textarea>", "<style>", "<script>"}) {
      std::string page = open + "text" + damaged + "<p>one</p><div>two</div>";
      if (open != "<title>") page.replace(page.find("title"), 5, open.substr(1, open.size() - 2));
      INFO(page);
      std::vector<ElementTree> trees;
      std::vector<std::string> copies;  // all are kept, so that each lies elsewhere
      for (std::size_t i = 0; i < 4; ++i) {
        copies.push_back(std::string(1000 * i, 'x') + page);
        trees.push_back(html_elements(ByteView(copies.back()).substr(1000 * i)));
      }
      for (const ElementTree& tree : trees) {
        REQUIRE(tree.elements.size() == trees[0].elements.size());
        for (std::size_t e = 0; e < tree.elements.size(); ++e) {
          const Element& a = tree.elements[e];
          const Element& b = trees[0].elements[e];
          CHECK(std::tie(a.begin, a.inner_begin, a.inner_end, a.end) ==
                std::tie(b.begin, b.inner_begin, b.inner_end, b.end));
          CHECK(std::max({a.begin, a.inner_begin, a.inner_end, a.end}) <= page.size());
        }
      }
    }
  }
}

TEST_CASE("a tag ends after its last attribute, whatever that is") {
  for (const std::string tag :
       {"<p a=1 a='>' a=\">\">", "<p a='>'/>", "<p a=\">\"b>", "<p a = '>' >", "<p a=>", "<p =a='>'>", "<p a=b'c>",
        "<p a\n=\n\">\"\n>", "<p/a='>'/>", "<p a='&gt;>'>", "<p \"'>"}) {
    INFO(tag);
    CHECK(bytes_of("<div>" + tag + "x</p></div>", "p") == tag + "x</p>");
  }
}

TEST_CASE("elements without an end tag end where the next one or their parent ends") {
  const std::string page = "<ul><li>a<li>b <li>c</ul>rest";
  CHECK(shape(page) == "((ul(li li li)))");
  CHECK(bytes_of(page, "li", 0) == "<li>a");
  CHECK(bytes_of(page, "li", 1) == "<li>b ");
  CHECK(bytes_of(page, "li", 2) == "<li>c");
  CHECK(bytes_of(page, "ul") == "<ul><li>a<li>b <li>c</ul>");
  CHECK(bytes_of("<p>one<div>two", "p") == "<p>one");
  CHECK(bytes_of("<p>one<div>two", "div") == "<div>two");
}

TEST_CASE("tables get their implied parts") {
  const std::string page = "<!doctype html><table><tr><td>a<td>b<tr><td><table><tr><td>n</table></table>";
  CHECK(shape(page) == "((table((tr(td td)tr(td(table((tr(td)))))))))");
  CHECK(bytes_of(page, "td", 1) == "<td>b");
  CHECK(bytes_of(page, "table", 1) == "<table><tr><td>n</table>");
}

TEST_CASE("content after </body> belongs to the body") {
  CHECK(bytes_of("<body><p>a</body></html>\n", "body") == "<body><p>a</body>");
  CHECK(bytes_of("<body><p>a</p></body></html><p>b</p>", "body") == "<body><p>a</p></body></html><p>b</p>");
}

TEST_CASE("misnested elements are not ranges") {
  CHECK(shape("<div><b><p>one</b> two</p></div>") == "((div(p)))");
  CHECK(shape("<div><form><section>one</form> two</section></div>") == "((div(section)))");
  CHECK(shape("<div><a name=1>x<p>y</p></div>") == "((div(p)))");
  CHECK(shape("<div><b><i>x</b>y</i></div>") == "((div(b)))");
}

TEST_CASE("a link or a custom element around blocks is a block, around text it is not") {
  const auto kind = [](ByteView page, std::string_view name) {
    for (const Element& element : html_elements(page).elements) {
      if (element_name(page, element) == name) return element.kind;
    }
    return ElementKind::transparent;
  };
  CHECK(kind("<a href=x><div>card</div></a>", "a") == ElementKind::block);
  CHECK(kind("<a href=x>link</a>", "a") == ElementKind::phrasing);
  CHECK(kind("<my-card><p>x</p></my-card>", "my-card") == ElementKind::block);
  CHECK(kind("<my-card>x</my-card>", "my-card") == ElementKind::phrasing);
  CHECK(kind("<svg><path d=''/></svg>", "svg") == ElementKind::phrasing);
  CHECK(kind("<svg>" + repeat("<path d='M0'/>", 100) + "</svg>", "svg") == ElementKind::leaf);
}

TEST_CASE("what looks like markup in scripts, comments and text areas is not") {
  CHECK(shape("<script>'<p>'</script><style>a>b{}</style><!-- <p> --><textarea><p></textarea><p>x") ==
        "((script style)(textarea p))");
  CHECK(bytes_of("<script>if (a<b) '<\\/script>'</script >x", "script") == "<script>if (a<b) '<\\/script>'</script >");
  CHECK(shape("<title><p></title><xmp><p></xmp><noframes><p></noframes>") == "((title)(xmp noframes))");
  const std::string hidden = "<p>a</p><!-- " + repeat("<p>hidden</p>", 50) + "--><p>b</p>";
  CHECK(shape(hidden) == "((p !-- p))");
}

TEST_CASE("framesets replace the body") {
  CHECK(shape("<frameset><frame src=a><frame src=b></frameset>") == "(frameset(frame frame))");
}

TEST_CASE("a page read after another is read the same") {
  const std::string page = "<div><p>a<p>b</div><table><tr><td>c";
  const std::string before = shape(page);
  for (const char* other : {"<plaintext>x", "<select><option>", "<svg><![CDATA[", "<!--", "<script>", "<template><tr>",
                            "<x-1><x-2 a-1=2>", "<form><form>", "<a<b"}) {
    html_elements(other);
    CHECK(shape(page) == before);
  }
}

TEST_CASE("a page in quirks mode leaves nothing of it to the next one") {
  const std::string page = "<!DOCTYPE html><p>a<table><tr><td>b";  // only outside of quirks mode the table ends the p
  std::string alone;
  std::thread([&] { alone = shape(page); }).join();
  html_elements("<p>no doctype");
  CHECK(shape(page) == alone);
  CHECK(shape("<p>a<table><tr><td>b") != alone);
}

TEST_CASE("nesting beyond the limit is part of what stands at the limit") {
  const std::string inside = repeat("<div>", 300) + "deep" + repeat("</div>", 300);
  const std::string page = "<section>" + inside + "</section><p>after</p>";
  CHECK(bytes_of(page, "section") == "<section>" + inside + "</section>");
  CHECK(bytes_of(page, "p") == "<p>after</p>");
}
