#include "segment/cut_rules.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "segment/auto.h"
#include "tests/support/joins_again.h"
#include "tests/support/sample_pages.h"

namespace blockarch {
namespace {

Segmentation cut(ByteView page, const std::string& profile) {
  SegmentOptions options;
  options.media_type = "text/html";
  options.charset = "utf-8";
  options.profile = profile;
  return auto_segmenter().segment(page, options);
}

std::size_t below(const Segmentation& segmentation, const std::string& path) {
  std::size_t count = 0;
  for (const Region& region : segmentation.regions)
    if (region.path.starts_with(path + "/")) ++count;
  return count;
}

// A menu, a list of short items and a long text.
std::string page() {
  std::string text = "<html><body><div id=\"menu\">";
  for (int i = 0; i < 60; ++i)
    text += "<p>Entry number " + std::to_string(i * 7919 % 1000) + " of the menu, with some words</p>";
  return text + "</div><div id=\"text\">" + sample_page(12) + "</div></body></html>";
}

}  // namespace

TEST_CASE("rules read as they were written") {
  const CutRules rules{{"body/a", "body/nav#x"}, {"body/main/p"}};
  const std::string text = encode_cut_rules(rules);
  CHECK(text == "whole:body/a whole:body/nav#x fine:body/main/p");
  CHECK(decode_cut_rules(text) == rules);
  CHECK(decode_cut_rules("")->empty());
  CHECK(rules.is_whole("body/a"));
  CHECK_FALSE(rules.is_whole("body"));
  CHECK(rules.is_fine("body/main/p"));
}

TEST_CASE("what is no rule is refused") {
  for (const char* text :
       {"whole", "whole:", "other:x", " ", "whole:a ", " whole:a", "whole:b whole:a", "whole:a whole:a",
        "fine:a whole:b", "whole:a\nfine:b", "whole:a  fine:b", "modern", "whole:<p>"}) {
    CAPTURE(text);
    CHECK_FALSE(decode_cut_rules(text).has_value());
    CHECK_FALSE(auto_segmenter().takes_profile(text));
  }
  CHECK_FALSE(decode_cut_rules("whole:" + std::string(121, 'a')).has_value());
  CutRules many;
  for (int i = 0; i < 201; ++i) many.whole.push_back("p" + std::to_string(1000 + i));
  CHECK_FALSE(decode_cut_rules(encode_cut_rules(many)).has_value());
}

TEST_CASE("a region is kept whole or cut finer, and the page still joins") {
  const std::string html = page();
  const Segmentation usual = cut(html, "");
  REQUIRE(below(usual, "body/div#menu") > 1);
  const Segmentation whole = cut(html, "whole:body/div#menu");
  CHECK(below(whole, "body/div#menu") == 0);
  CHECK(below(whole, "body/div#text") == below(usual, "body/div#text"));
  const Segmentation fine = cut(html, "fine:body/div#menu");
  CHECK(below(fine, "body/div#menu") > 2 * below(usual, "body/div#menu"));
  CHECK(below(fine, "body/div#text") == below(usual, "body/div#text"));
  for (const Segmentation& s : {usual, whole, fine}) {
    CHECK(is_well_formed(s, html.size(), kMaxLevel));
    CHECK(joins_again(html, s));
  }
}

TEST_CASE("rules for what the page does not have change nothing") {
  const std::string html = page();
  const auto usual = cut(html, "").regions;
  const auto other = cut(html, "whole:body/none fine:body/neither").regions;
  REQUIRE(usual.size() == other.size());
  for (std::size_t i = 0; i < usual.size(); ++i) CHECK(usual[i].begin == other[i].begin);
}

}  // namespace blockarch
