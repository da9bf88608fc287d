#include "bench/synthetic_site.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace blockarch::bench {
namespace {

constexpr std::uint32_t kPagesOfSite = 100;
constexpr std::uint32_t kHubsOfSite = 5;  // the home page and four lists
constexpr std::size_t kVocabulary = 4096;
constexpr std::size_t kWordTable = 1 << 16;
constexpr std::uint32_t kMaxItems = 40;
constexpr std::uint32_t kMaxComments = 12;

// A finalizer in the manner of splitmix64: every bit of the result depends on every bit of the key.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return mix(a ^ mix(b));
}
std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix(mix(a, b), c);
}

std::uint32_t below(std::uint64_t random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(((random >> 32) * limit) >> 32);
}

bool chance(std::uint64_t random, std::uint32_t percent) {
  return below(random, 100) < percent;
}

void append_number(std::uint64_t number, std::string& out) {
  char digits[20];
  std::size_t count = 0;
  do digits[count++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  while (count) out.push_back(digits[--count]);
}

void append_hex(std::uint64_t number, std::string& out) {
  for (int shift = 60; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(number >> shift) & 15]);
}

std::string make_word(std::uint64_t key) {
  static constexpr const char* kOnsets[] = {"b", "c", "d",  "f",  "g",  "h",  "l", "m",
                                            "n", "p", "qu", "pr", "st", "tr", "v", "s"};
  static constexpr const char* kRests[] = {"a",  "e",  "i",   "o",  "u",   "an",  "er", "in",
                                           "on", "us", "ent", "al", "ore", "ick", "ea", "est"};
  std::string word;
  const std::uint32_t syllables = 1 + below(mix(key, 1), 3);
  for (std::uint32_t i = 0; i < syllables; ++i) {
    const std::uint64_t random = mix(key, 2 + i);
    word += kOnsets[random % std::size(kOnsets)];
    word += kRests[(random >> 8) % std::size(kRests)];
  }
  return word;
}

bool is_hub(std::uint32_t page) {
  return page % kPagesOfSite < kHubsOfSite;
}

}  // namespace

struct SyntheticWeb::Site {
  std::uint32_t number;
  std::uint64_t key;
  std::uint32_t design;  // which of a few templates
  bool nonce;            // one site in ten never answers twice with the same bytes
};

SyntheticWeb::SyntheticWeb(std::uint64_t seed, std::uint32_t urls)
    : seed_(mix(seed)), pages_(urls), site_days_(urls / kPagesOfSite + 1) {
  for (std::size_t i = 0; i < kVocabulary; ++i) words_.push_back(make_word(mix(seed_, 7, i)));
  // The word of rank r comes about 1/r as often as the first.
  const double total = std::log(static_cast<double>(kVocabulary));
  for (std::size_t i = 0; i < kWordTable; ++i) {
    const double rank = std::exp(total * static_cast<double>(i) / static_cast<double>(kWordTable));
    word_table_.push_back(static_cast<std::uint16_t>(std::min(rank - 1, static_cast<double>(kVocabulary - 1))));
  }
}

SyntheticWeb::Site SyntheticWeb::site_of(std::uint32_t page) const {
  const std::uint32_t number = page / kPagesOfSite;
  const std::uint64_t key = mix(seed_, 11, number);
  return {number, key, below(mix(key, 1), 6), chance(mix(key, 2), 10)};
}

std::uint32_t SyntheticWeb::pick(std::uint64_t capture) const {
  const std::uint64_t random = mix(seed_, 3, capture);
  std::uint32_t page = below(random, urls());
  if (chance(mix(random), 20)) page = page / kPagesOfSite * kPagesOfSite + page % kHubsOfSite;
  return std::min(page, urls() - 1);
}

std::string SyntheticWeb::url(std::uint32_t page) const {
  const Site site = site_of(page);
  std::string text = "https://www.";
  append_words(mix(site.key, 3), 1, text);
  text += "-";
  append_number(site.number, text);
  text += ".example/";
  const std::uint32_t local = page % kPagesOfSite;
  if (local == 0) return text;
  text += is_hub(page) ? "topics/" : "articles/";
  append_number(local, text);
  return text + ".html";
}

void SyntheticWeb::capture(std::uint32_t page, std::uint64_t capture, std::string& html) {
  evolve(page, capture);
  const Site site = site_of(page);
  const PageState& state = pages_[page];
  html.clear();
  append_head(site, page, html);
  append_navigation(site, html);
  html += "<div class=\"columns\">\n<main id=\"content\">\n";
  if (is_hub(page)) {
    append_list(site, page, html);
  } else {
    append_article(site, page, html);
  }
  html += "</main>\n";
  append_sidebar(site, state.site_day, html);
  html += "</div>\n";
  append_footer(site, state, html);
}

// Half of the visits find the page as it was. The others find a paragraph rewritten, an entry more in a list, a comment
// more, or only the sidebar of the site's newest issue.
void SyntheticWeb::evolve(std::uint32_t page, std::uint64_t capture) {
  PageState& state = pages_[page];
  const std::uint64_t random = mix(seed_, 5, capture);
  std::uint32_t& day = site_days_[page / kPagesOfSite];
  if (chance(mix(random, 1), 1)) ++day;
  if (state.captures++ == 0) {
    state.revisions.resize(3 + below(mix(seed_, 13, page), 20));
    state.items = is_hub(page) ? 5 + below(mix(random, 2), 20) : below(mix(random, 2), 4);
    state.site_day = day;
  } else if (!chance(mix(random, 3), 50)) {
    const std::uint32_t kind = below(mix(random, 4), 100);
    if (kind < 45) {
      ++state.revisions[below(mix(random, 5), static_cast<std::uint32_t>(state.revisions.size()))];
    } else if (kind < 80) {
      ++state.items;
    }
    state.site_day = day;
  }
  state.nonce = mix(random, 6);
}

void SyntheticWeb::append_words(std::uint64_t key, std::uint32_t count, std::string& out) const {
  std::uint64_t random = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    random = i % 4 ? random >> 16 : mix(key, i);
    if (i) out.push_back(' ');
    out += words_[word_table_[random & (kWordTable - 1)]];
  }
}

void SyntheticWeb::append_sentence(std::uint64_t key, std::string& out) const {
  const std::size_t begin = out.size();
  append_words(key, 6 + below(key, 14), out);
  out[begin] = static_cast<char>(out[begin] - 'a' + 'A');
  out += ". ";
}

void SyntheticWeb::append_paragraph(std::uint64_t key, std::uint32_t sentences, std::string& out) const {
  out += "<p>";
  for (std::uint32_t i = 0; i < sentences; ++i) append_sentence(mix(key, i), out);
  out.back() = '<';
  out += "/p>\n";
}

void SyntheticWeb::append_head(const Site& site, std::uint32_t page, std::string& out) const {
  out += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
  append_words(mix(seed_, 17, page), 5, out);
  out += "</title>\n<style>\n";
  for (std::uint32_t rule = 0; rule < 12; ++rule) {
    const std::uint64_t random = mix(mix(seed_, 19, site.design), rule);
    out += "." + words_[random % kVocabulary] + "-" + words_[(random >> 16) % kVocabulary] + " { margin: ";
    append_number((random >> 32) % 40, out);
    out += "px; color: #";
    append_hex(random, out);
    out.resize(out.size() - 10);
    out += "; display: flex }\n";
  }
  out += "</style>\n<script>window.site = {\"id\":";
  append_number(site.number, out);
  out += ",\"build\":\"";
  append_hex(mix(site.key, 23, site_days_[site.number] / 50), out);
  out += "\",\"features\":[\"search\",\"comments\",\"feeds\"]};</script>\n</head>\n<body>\n";
}

void SyntheticWeb::append_navigation(const Site& site, std::string& out) const {
  out += "<header><h1>";
  append_words(mix(site.key, 29), 3, out);
  out += "</h1>\n<nav><ul>\n";
  const std::uint32_t links = 8 + below(mix(site.key, 31), 16);
  for (std::uint32_t i = 0; i < links; ++i) {
    out += "<li><a href=\"/topics/";
    append_number(i, out);
    out += ".html\">";
    append_words(mix(site.key, 37, i), 2, out);
    out += "</a></li>\n";
  }
  out += "</ul></nav></header>\n";
}

void SyntheticWeb::append_article(const Site& site, std::uint32_t page, std::string& out) const {
  const PageState& state = pages_[page];
  const std::uint64_t key = mix(seed_, 41, page);
  out += "<article>\n<h2>";
  append_words(mix(seed_, 17, page), 5, out);
  out += "</h2>\n";
  for (std::size_t i = 0; i < state.revisions.size(); ++i) {
    const std::uint64_t paragraph = mix(key, i, state.revisions[i]);
    append_paragraph(paragraph, 3 + below(mix(key, i), 6), out);
  }
  out += "</article>\n<section class=\"comments\">\n";
  const std::uint32_t first = state.items > kMaxComments ? state.items - kMaxComments : 0;
  for (std::uint32_t i = first; i < state.items; ++i) {
    out += "<div class=\"comment\" id=\"c";
    append_number(mix(site.key, page, i) % 1000000, out);
    out += "\">";
    append_paragraph(mix(key, 43, i), 1 + below(mix(key, 47, i), 3), out);
    out += "</div>\n";
  }
  out += "</section>\n";
}

void SyntheticWeb::append_list(const Site& site, std::uint32_t page, std::string& out) const {
  const PageState& state = pages_[page];
  const std::uint64_t key = mix(seed_, 53, page);
  append_paragraph(mix(key, state.revisions[0]), 3, out);
  out += "<ol class=\"entries\">\n";
  for (std::uint32_t i = state.items; i > 0 && i + kMaxItems > state.items; --i) {
    out += "<li><a href=\"/articles/";
    append_number(kHubsOfSite + below(mix(site.key, page, i), kPagesOfSite - kHubsOfSite), out);
    out += ".html\">";
    append_words(mix(key, 59, i), 6, out);
    out += "</a> <span>";
    append_sentence(mix(key, 61, i), out);
    out += "</span></li>\n";
  }
  out += "</ol>\n";
}

void SyntheticWeb::append_sidebar(const Site& site, std::uint32_t day, std::string& out) const {
  out += "<aside><h3>Newest</h3><ul>\n";
  for (std::uint32_t i = 0; i < 8; ++i) {
    out += "<li><a href=\"/articles/";
    append_number(kHubsOfSite + (day + 8 - i) % (kPagesOfSite - kHubsOfSite), out);
    out += ".html\">";
    append_words(mix(site.key, 67, day + 8 - i), 5, out);
    out += "</a></li>\n";
  }
  out += "</ul></aside>\n";
}

void SyntheticWeb::append_footer(const Site& site, const PageState& state, std::string& out) const {
  out += "<footer>";
  append_paragraph(mix(site.key, 71), 2, out);
  if (site.nonce) {
    out += "<input type=\"hidden\" name=\"token\" value=\"";
    append_hex(state.nonce, out);
    out += "\">\n";
  }
  out += "</footer>\n</body>\n</html>\n";
}

}  // namespace blockarch::bench
