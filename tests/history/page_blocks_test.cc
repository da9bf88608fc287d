#include "history/page_blocks.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {
namespace {

std::vector<std::string> texts(ByteView page, const std::string& type = "text/html") {
  std::vector<std::string> list;
  for (const PageBlock& block : read_page_blocks(page, type, "utf-8").blocks) {
    list.emplace_back(page.substr(block.begin, block.end - block.begin));
  }
  return list;
}

using List = std::vector<std::string>;

TEST_CASE("paragraphs, headings and list items are blocks, containers are not") {
  CHECK(texts("<body><div><h1>Title</h1>\n<p>One <b>two</b></p><ul><li>a</li> <li><a href=x>b</a></li></ul></div>") ==
        List{"<h1>Title</h1>", "<p>One <b>two</b></p>", "<li>a</li>", "<li><a href=x>b</a></li>"});
}

TEST_CASE("text between blocks and between line breaks is a block of its own") {
  CHECK(texts("<div>before <i>it</i><p>inside</p> after<br>line <img src=a></div>") ==
        List{"before <i>it</i>", "<p>inside</p>", "after", "line <img src=a>"});
}

TEST_CASE("a plain row of a table is one block, a row with blocks in its cells is taken apart") {
  CHECK(texts("<table><tr><td>a</td><td>b</td></tr><tr><td><p>c</p></td><td>d</td></tr></table>") ==
        List{"<tr><td>a</td><td>b</td></tr>", "<p>c</p>", "<td>d</td>"});
}

TEST_CASE("white space after an element without an end tag is not part of it") {
  CHECK(texts("<ul><li>a\n\n<li>b\n</ul>") == List{"<li>a", "<li>b"});
}

TEST_CASE("what shows nothing is layout") {
  CHECK(texts("<div class=x> </div><hr><!-- note --><p></p><p>word</p>") == List{"<p>word</p>"});
}

TEST_CASE("kinds of blocks are told apart") {
  const std::string page =
      "<head><meta name=a><title>T</title><style>p{}</style></head><p>x</p><img src=b><script>1</script>";
  const auto blocks = read_page_blocks(page, "text/html", "utf-8").blocks;
  std::vector<PageBlockKind> kinds;
  for (const PageBlock& block : blocks) kinds.push_back(block.kind);
  CHECK(kinds == std::vector{PageBlockKind::head, PageBlockKind::text, PageBlockKind::style, PageBlockKind::text,
                             PageBlockKind::media, PageBlockKind::script});
}

TEST_CASE("equal bytes have equal ids, as the store names them") {
  const std::string page = "<p>a</p><div><p>a</p></div><p>b</p>";
  const auto blocks = read_page_blocks(page, "text/html", "utf-8").blocks;
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].id == blocks[1].id);
  CHECK(blocks[0].id != blocks[2].id);
  CHECK(blocks[0].id.hash == hash_object(ObjectKind::block, "<p>a</p>"));
  CHECK(blocks[1].path == "div/p");
}

TEST_CASE("a frame that is never closed does not swallow the page") {
  CHECK(texts("<head><noscript><iframe src=x /></noscript></head><body><p>One</p><p>Two</p>") ==
        List{"<p>One</p>", "<p>Two</p>"});
  CHECK(texts("<p>One</p><iframe src=x></iframe><p>Two</p>") ==
        List{"<p>One</p>", "<iframe src=x></iframe>", "<p>Two</p>"});
}

TEST_CASE("entries of a feed are blocks") {
  const std::string item = "<item><title>a</title><link>b</link></item>";
  const auto list = texts("<?xml version=\"1.0\"?><rss><channel><title>F</title>" + item + item + "</channel></rss>",
                          "application/rss+xml");
  CHECK(std::count(list.begin(), list.end(), item) == 2);
}

TEST_CASE("plain text is told by paragraphs, other text by lines") {
  CHECK(texts("a\nb\n\n\nc\n", "text/plain") == List{"a\nb", "c"});
  CHECK(texts("a\nb\n\nc", "text/css") == List{"a", "b", "c"});
}

TEST_CASE("what is no text is told in pieces that cover it all") {
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) bytes += static_cast<char>((i * 7919) >> 3);
  const auto page = read_page_blocks(bytes, "image/png", "");
  std::uint64_t at = 0;
  for (const PageBlock& block : page.blocks) {
    CHECK(block.begin == at);
    CHECK(block.kind == PageBlockKind::bytes);
    at = block.end;
  }
  CHECK(at == bytes.size());
  CHECK(page.blocks.size() > 1);
}

TEST_CASE("any bytes give blocks that are in order and apart") {
  const std::string page = "<p>a<div><b>c</p>d</div><table>x<tr>y<td>z</table></b><svg><p>q</svg>";
  for (std::size_t size = 0; size <= page.size(); ++size) {
    std::uint64_t at = 0;
    for (const PageBlock& block : read_page_blocks(page.substr(0, size), "text/html", "utf-8").blocks) {
      CHECK(block.begin >= at);
      CHECK(block.end > block.begin);
      CHECK(block.end <= size);
      at = block.end;
    }
  }
}

}  // namespace
}  // namespace blockarch
