// Pages made up for tests: large enough to be cut, easy to change in one place.
#pragma once

#include <string>

namespace blockarch {

// A page with a menu, `paragraphs` paragraphs, a script and a footer. Paragraph `changed` reads differently by `edit`.
inline std::string sample_page(int paragraphs, int changed = -1, const std::string& edit = "") {
  std::string page =
      "<!DOCTYPE html>\n<html><head><title>Sample</title><style>body { margin: 1em }</style></head>\n<body>\n"
      "<nav><ul><li><a href=\"/\">Home</a></li><li><a href=\"/about\">About</a></li></ul></nav>\n<main>\n";
  for (int i = 0; i < paragraphs; ++i) {
    page += "<h2>Section " + std::to_string(i) + "</h2>\n<p>";
    for (int w = 0; w < 60; ++w) page += "word" + std::to_string((i * 31 + w * w) % 997) + " ";
    if (i == changed) page += edit;
    page += "</p>\n";
  }
  page += "</main>\n<script>var state = {";
  for (int i = 0; i < 300; ++i) page += "\"key" + std::to_string(i) + "\":" + std::to_string(i * 7919 % 1000) + ",";
  page += "\"end\":0};</script>\n<footer><p>Footer text</p></footer>\n</body></html>\n";
  return page;
}

}  // namespace blockarch
