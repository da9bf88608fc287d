#include "segment/xml_elements.h"

#include <algorithm>

#include "tests/segment/segment_checks.h"

using namespace blockarch;

namespace {

std::string item(int n) {
  return "<item>\n  <title>Item " + std::to_string(n) + "</title>\n  <link>http://a.example/" + std::to_string(n) +
         "</link>\n  <description><![CDATA[<p>" + sentences(static_cast<unsigned>(n), 12) +
         "</p>]]></description>\n</item>\n";
}

struct Feed {
  const char* type;
  std::string head;
  std::string tail;
};

std::vector<Feed> feeds() {
  const std::string declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  return {
      {"application/rss+xml",
       declaration + "<rss version='2.0'><channel><title>T</title><link>http://a.example</link>\n",
       "</channel></rss>\n"},
      {"text/html", "<rss version='0.91'><channel><title>T</title>\n", "</channel>\n</rss>"},
      {"text/xml",
       "<rdf:RDF xmlns:rdf='r'><channel rdf:about='x'><title>T</title><items><rdf:Seq/></items></channel>\n",
       "</rdf:RDF>"},
  };
}

}  // namespace

TEST_CASE("an entry of a feed is a block, and stays one when another is added above it") {
  for (const Feed& feed : feeds()) {
    INFO(feed.head);
    std::string items;
    for (int i = 0; i < 20; ++i) items += item(i);
    const std::string before = feed.head + items + feed.tail;
    const std::string after = feed.head + item(100) + items + feed.tail;
    for (const std::string& payload : {before, after}) {
      const Segmentation segmentation = segment_as(payload, feed.type);
      require_well_formed(payload, segmentation);
      const std::vector<std::string> blocks = leaf_bytes(payload, segmentation);
      for (int i = 0; i < 20; ++i) CHECK(std::count(blocks.begin(), blocks.end(), item(i)) == 1);
    }
  }
}

TEST_CASE("Atom entries, sitemap addresses and sitemaps of an index are blocks, however short") {
  const std::string atom =
      "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><link href='a'/><link href='b'/><link "
      "href='c'/>"
      "<entry><id>urn:1</id><title>First "
      "entry</title></entry><entry><id>urn:2</id><title>Second</title></entry></feed>";
  const std::vector<std::string> entries = leaf_bytes(atom, segment_as(atom, "application/atom+xml"));
  CHECK(std::count(entries.begin(), entries.end(), "<entry><id>urn:1</id><title>First entry</title></entry>") == 1);
  CHECK(std::count(entries.begin(), entries.end(), "<entry><id>urn:2</id><title>Second</title></entry>") == 1);

  for (const std::string name : {"url", "sitemap"}) {
    const std::string root = name == "url" ? "urlset" : "sitemapindex";
    std::string payload = "<?xml version='1.0'?><" + root + ">";
    for (int i = 0; i < 50; ++i) {
      payload += "<" + name + "><loc>http://a.example/" + std::to_string(i) + "</loc></" + name + ">\n";
    }
    payload += "</" + root + ">";
    const Segmentation segmentation = segment_as(payload, "");
    require_well_formed(payload, segmentation);
    CHECK(leaf_regions(segmentation).size() == 50);
    CHECK(segmentation.regions.back().path == root + "/" + name);
  }
}

TEST_CASE("the repeated elements of any other XML are its entries") {
  std::string books;
  for (unsigned i = 0; i < 30; ++i) books += "<book nr='" + std::to_string(i) + "'>" + sentences(i, 5) + "</book>";
  const std::string list = "<books><shelf>" + books + "</shelf></books>";
  const Segmentation segmentation = segment_as(list, "text/xml");
  require_well_formed(list, segmentation);
  CHECK(leaf_regions(segmentation).size() == 30);
  // A level that branches without repeating anything is no list, nor is anything below it.
  const std::string other = "<library><name>N</name><shelf>" + books + "</shelf></library>";
  CHECK(leaf_regions(segment_as(other, "text/xml")).size() < 10);
}

TEST_CASE("a document cut off anywhere is used up to there") {
  for (const Feed& feed : feeds()) {
    std::string payload = feed.head;
    for (int i = 0; i < 5; ++i) payload += item(i);
    payload += feed.tail;
    for (std::size_t size = 0; size <= payload.size(); ++size) {
      const ByteView prefix = ByteView(payload).substr(0, size);
      const Segmentation segmentation = segment_as(prefix, "text/xml");
      require_well_formed(prefix, segmentation);
      // Every entry that is whole and has something after it is a block.
      const std::vector<std::string> blocks = leaf_bytes(prefix, segmentation);
      for (int i = 0; i < 5; ++i) {
        const std::string entry = item(i);
        const std::size_t at = payload.find(entry);
        if (at + entry.size() < size) CHECK(std::count(blocks.begin(), blocks.end(), entry) == 1);
      }
    }
  }
}

TEST_CASE("well-formed XHTML sent as XML is cut like HTML, broken XHTML too") {
  std::string page =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 "
      "Strict//EN\" \"x.dtd\">\n"
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>T</title></head><body>\n";
  for (unsigned i = 0; i < 40; ++i) page += "<p>" + sentences(i, 40) + "<br/></p>\n";
  page += "</body></html>\n";
  const Segmentation as_xml = segment_as(page, "application/xhtml+xml");
  require_well_formed(page, as_xml);
  CHECK(leaf_bytes(page, as_xml) == leaf_bytes(page, segment_as(page, "text/html")));
  std::string broken = page;
  broken.replace(broken.find("</p>"), 4, "<br>");
  CHECK(leaf_regions(segment_as(broken, "application/xhtml+xml")).size() > 10);
}

TEST_CASE("a byte order mark, ranges in attributes and odd end tags do not shift anything") {
  const std::string payload =
      "\xEF\xBB\xBF<r><row a='1>2' id='first'>some text of the first row</row  ><row b=\"</row>\">some text "
      "of the second row"
      "</row\n><row c=''/><!-- </row> --><row>some text of the fourth row and more and more</row></r>";
  const ElementTree tree = xml_elements(payload);
  std::vector<std::string> rows;
  for (const Element& element : tree.elements) {
    if (element_name(payload, element) == "row" && !element.dropped) {
      rows.push_back(payload.substr(element.begin, element.end - element.begin));
    }
  }
  CHECK(rows == std::vector<std::string>{"<row a='1>2' id='first'>some text of the first row</row  >",
                                         "<row b=\"</row>\">some text of the second row</row\n>", "<row c=''/>",
                                         "<row>some text of the fourth row and more and more</row>"});
}
