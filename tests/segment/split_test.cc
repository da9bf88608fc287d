#include "segment/split.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "objects/memory_store.h"
#include "objects/page.h"
#include "tests/support/sample_pages.h"

using namespace blockarch;

namespace {

struct Stored {
  MemoryStore store;
  Version version;
  SplitPage page;
};

Stored store_page(ByteView payload, const Segmentation& segmentation) {
  Stored stored;
  stored.page = split_page(payload, segmentation);
  for (const PageObject& object : stored.page.objects) {
    REQUIRE(stored.store.put(object.id.kind, object.content) == object.id.hash);
  }
  stored.version.payload_hash = blake3(payload);
  stored.version.payload_size = payload.size();
  stored.version.layout = {stored.store.put(ObjectKind::layout, encode_layout(stored.page.layout))};
  stored.version.tree = {stored.store.put(ObjectKind::tree, encode_block_tree(stored.page.tree))};
  return stored;
}

void require_round_trip(ByteView payload, const SegmentOptions& options) {
  const Segmenter& segmenter = **find_segmenter("auto");
  const Segmentation segmentation = segmenter.segment(payload, options);
  REQUIRE(is_well_formed(segmentation, payload.size(), kMaxLevel));
  const Stored stored = store_page(payload, segmentation);
  const auto joined = join_page(stored.store, stored.version);
  REQUIRE(joined.has_value());
  REQUIRE(*joined == payload);
  // The stored tree tells the same ranges as the segmenter did.
  const auto ranges = node_ranges(stored.page.layout, stored.page.tree);
  REQUIRE(ranges.has_value());
  REQUIRE(ranges->size() == segmentation.regions.size());
  for (std::size_t i = 0; i < ranges->size(); ++i) {
    REQUIRE((*ranges)[i].begin == segmentation.regions[i].begin);
    REQUIRE((*ranges)[i].end == segmentation.regions[i].end);
    REQUIRE((*ranges)[i].level == segmentation.regions[i].level);
  }
}

SegmentOptions html(int level = 0) {
  SegmentOptions options;
  options.media_type = "text/html";
  options.charset = "utf-8";
  options.level = level;
  return options;
}

const std::string kFeed =
    "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>News</title>\n"
    "<item><title>One</title><description>First</description></item>\n"
    "<item><title>Two</title><description>Second &amp; last</description></item>\n</channel></rss>\n";

const std::string kOldPage =
    "<HTML><BODY BGCOLOR=#FFFFFF><TABLE WIDTH=600><TR><TD><FONT SIZE=5>Title</FONT><TD ALIGN=right>Date\n"
    "<TR><TD COLSPAN=2><P>First paragraph<P>Second <B>bold<I>both</B>italic</I><BR><UL><LI>one<LI>two</UL>\n"
    "</TABLE><CENTER><HR><A HREF=x.htm>next</A></CENTER></BODY></HTML>";

}  // namespace

TEST_CASE("every prefix of a page is split and joined again exactly") {
  for (const std::string& page : {sample_page(3), kOldPage, kFeed}) {
    for (std::size_t n = 0; n <= page.size(); n += page.size() > 3000 ? 7 : 1) {
      INFO("prefix of " << n);
      require_round_trip(ByteView(page).substr(0, n), html());
    }
  }
  SegmentOptions xml = html();
  xml.media_type = "application/xml";
  for (std::size_t n = 0; n <= kFeed.size(); ++n) require_round_trip(ByteView(kFeed).substr(0, n), xml);
}

TEST_CASE("mutated pages are split and joined again exactly, at every level") {
  std::mt19937 random(42);
  const std::string alphabet = "<>/\"'=!-ab &;\n\0\xff";
  for (int round = 0; round < 400; ++round) {
    std::string page = round % 3 == 0 ? kOldPage : round % 3 == 1 ? sample_page(8) : kFeed;
    for (int edit = 0; edit < 1 + round % 20; ++edit) {
      const std::size_t at = random() % page.size();
      switch (random() % 4) {
        case 0:
          page[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          page.erase(at, random() % 50);
          break;
        case 2:
          page.insert(at, page.substr(random() % page.size(), random() % 200));
          break;
        default:
          page.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
      if (page.empty()) page = "x";
    }
    require_round_trip(page, html(round % 7));
  }
}

TEST_CASE("random bytes are split and joined again exactly under every type") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random() % 9000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    SegmentOptions options;
    options.media_type = std::vector<std::string>{"text/html", "application/xml", "image/png", ""}[random() % 4];
    options.charset = std::vector<std::string>{"utf-8", "gbk", "utf-16le", "iso-2022-jp", ""}[random() % 5];
    require_round_trip(bytes, options);
  }
}

TEST_CASE("an empty page is one empty block") {
  const Stored stored = store_page("", (*find_segmenter("auto"))->segment("", html()));
  CHECK(stored.page.tree.nodes.size() == 1);
  CHECK(join_page(stored.store, stored.version).value().empty());
}

TEST_CASE("adjacent blocks share a slot, so adding one leaves the layout as it was") {
  const auto split_at = [](const std::string& page, std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks) {
    Segmentation segmentation;
    segmentation.regions.push_back({0, page.size(), kNoParent, 0, ""});
    for (const auto& [begin, end] : blocks) segmentation.regions.push_back({begin, end, 0, 1, ""});
    return split_page(page, segmentation);
  };
  const SplitPage two = split_at("<b>onetwo</b>", {{3, 6}, {6, 9}});
  const SplitPage three = split_at("<b>onexxxtwo</b>", {{3, 6}, {6, 9}, {9, 12}});
  CHECK(two.layout == three.layout);
  CHECK(two.layout == Layout{{"<b>", "</b>"}});
}

TEST_CASE("a long block becomes a list of chunks and a small edit changes few of them") {
  std::string script;
  std::mt19937 random(9);
  for (int i = 0; i < 20'000; ++i) script += std::to_string(random() % 1000) + ",";
  Segmentation whole;
  whole.regions.push_back({0, script.size(), kNoParent, 0, ""});
  const SplitPage before = split_page(script, whole);
  CHECK(before.objects.size() > 20);
  CHECK(before.tree.nodes[0].content.kind == ObjectKind::list);
  script.insert(script.size() / 2, "42,");
  whole.regions[0].end = script.size();
  const SplitPage after = split_page(script, whole);
  std::size_t fresh = 0;
  for (const PageObject& a : after.objects) {
    bool known = false;
    for (const PageObject& b : before.objects) known = known || a.id == b.id;
    fresh += !known;
  }
  CHECK(fresh <= 4);
}

TEST_CASE("a segmentation that is not well formed costs blocks, never bytes") {
  const std::string page = "0123456789";
  for (const std::vector<Region>& regions :
       std::vector<std::vector<Region>>{{},
                                        {{0, 9, kNoParent, 0, ""}},
                                        {{0, 10, kNoParent, 0, ""}, {4, 2, 0, 1, ""}},
                                        {{0, 10, kNoParent, 0, ""}, {4, 6, 0, 1, ""}, {5, 7, 0, 1, ""}},
                                        {{0, 10, kNoParent, 0, ""}, {4, 11, 0, 1, ""}},
                                        {{0, 10, kNoParent, 0, ""}, {4, 6, 7, 1, ""}},
                                        {{0, 10, kNoParent, 0, ""}, {4, 4, 0, 1, ""}}}) {
    const Stored stored = store_page(page, Segmentation{regions});
    CHECK(join_page(stored.store, stored.version).value() == page);
    CHECK(stored.page.tree.nodes.size() == 1);
  }
}
