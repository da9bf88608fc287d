// Pages whose paragraphs are blocks of their own, and days to capture them on.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"

namespace blockarch {

inline Time day(int n) {
  return Time::from_seconds(1'700'000'000 + n * std::int64_t{86400});
}

// Begins with the words, and is long enough not to be grouped with its neighbours.
inline std::string long_paragraph(const std::string& words) {
  std::string text = "<p>" + words;
  for (int i = 0; i < 250; ++i) text += " " + words.substr(0, words.find(' ')) + std::to_string(i);
  return text + "</p>\n";
}

// A paragraph for each, between a first and a last one that are always the same: the white space at the ends of a page is cut
// differently from that in its middle.
inline std::string paragraph_page(const std::vector<std::string>& paragraphs) {
  std::string text = "<!DOCTYPE html><html><head><title>T</title></head><body>\n" + long_paragraph("header");
  for (const std::string& words : paragraphs) text += long_paragraph(words);
  return text + long_paragraph("footer") + "</body></html>\n";
}

}  // namespace blockarch
