// What the tests of bwap share, and the worked example of its paper.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "segment/split.h"
#include "tests/segment/segment_checks.h"

namespace blockarch {

inline Segmentation bwap(ByteView page, const std::string& profile, int level = 1) {
  const Segmentation found = (*find_segmenter("bwap"))->segment(page, {"text/html", "utf-8", level, profile});
  require_well_formed(page, found, level);
  return found;
}

// "body/table/tr/td#x" is "x".
inline std::string id_of_region(const Region& region) {
  const std::size_t at = region.path.rfind('#');
  const std::size_t slash = region.path.rfind('/');
  const bool own = at != std::string::npos && (slash == std::string::npos || slash < at);
  return own ? region.path.substr(at + 1) : region.path.substr(slash + 1);
}

// The ids of the regions at a level, or of all leaves, with a space after each.
inline std::string ids_at_level(const Segmentation& found, int level) {
  std::string ids;
  for (const Region& region : found.regions) {
    if (region.level == level) ids += id_of_region(region) + " ";
  }
  return ids;
}

inline std::string leaf_ids(const Segmentation& found) {
  std::string ids;
  for (const Region& region : leaf_regions(found)) ids += id_of_region(region) + " ";
  return ids;
}

// The blocks of `after` that `before` does not hold: what storing the second capture costs.
inline std::vector<std::string> new_blocks(ByteView before, const Segmentation& first, ByteView after,
                                           const Segmentation& second) {
  std::set<Hash256> known;
  for (const PageObject& object : split_page(before, first).objects) known.insert(object.id.hash);
  std::vector<std::string> fresh;
  for (const PageObject& object : split_page(after, second).objects) {
    if (!known.contains(object.id.hash)) fresh.emplace_back(object.content);
  }
  return fresh;
}

// A front page of 2007 made like the one in the paper's figures 1 and 2: a banner T1 and a menu T2, the content C with a
// column of 24 links CL, the news CC1 to CC6 and the boxes CR1 and CR2, and two footers B1 and B2. Without a doctype,
// <p> may hold a table. In the second capture, five days later, the news CC2 to CC6 are other ones.
inline std::string example_page(bool second_capture) {
  const std::string day = second_capture ? "January 7" : "January 2";
  std::string page =
      "<html><head><title>java community</title></head>\n<body bgcolor=\"#ffffff\">\n"
      "<p id=\"T1\"><img src=\"/logo.gif\" width=\"200\" height=\"60\"> <b>The Source for Collaboration</b> "
      "<a href=\"/register\">Register</a> | <a href=\"/login\">Login</a></p>\n"
      "<p id=\"T2\"><a href=\"/\">Home</a> | <a href=\"/projects\">Projects</a> | <a "
      "href=\"/communities\">Communities</a> "
      "| <a href=\"/about\">About this site</a></p>\n"
      "<p id=\"C\"><a name=\"content\"></a>\n<table width=\"100%\"><tr valign=\"top\">\n<td id=\"CL\" width=\"160\">\n";
  for (int i = 1; i <= 24; ++i) {
    const std::string number = std::to_string(i);
    page += "<div><a href=\"/topic/" + number + "\">Topic number " + number + "</a></div>\n";
  }
  page += "</td>\n<td id=\"CC\"><a name=\"news\"></a>\n<table>\n";
  for (int i = 1; i <= 6; ++i) {
    const std::string number = std::to_string(i);
    const std::string date = i == 1 ? "Welcome" : day;
    page += "<tr><td id=\"CC" + number + "\"><b>" + date + ", item " + number +
            "</b><br>What happened in community number " + number + " and what its members say about it, since " +
            date + ". <a href=\"/news/" + number + "\">More</a></td></tr>\n";
  }
  page += "</table></td>\n<td id=\"CR\" width=\"180\"><a name=\"boxes\"></a>\n<table>\n";
  for (int i = 1; i <= 2; ++i) {
    const std::string number = std::to_string(i);
    page += "<tr><td id=\"CR" + number + "\"><b>Box " + number + "</b><br><a href=\"/box/" + number +
            "\">Something that rarely changes</a></td></tr>\n";
  }
  page +=
      "</table></td>\n</tr></table></p>\n"
      "<p id=\"B1\"><a href=\"/feedback\">Feedback</a> | <a href=\"/faq\">Frequent questions</a> | <a "
      "href=\"/press\">Press"
      "</a></p>\n<p id=\"B2\"><small>Copyright of the community</small> <i>All rights "
      "reserved</i></p>\n</body></html>\n";
  return page;
}

}  // namespace blockarch
