// The pages of made-up web sites, as they change over the years: what the benchmarks keep where a million real captures
// would be too many to hand around. A page is a pure function of the seed, its URL's number and its state, so the same
// numbers give the same bytes on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockarch::bench {

// What has happened to one URL so far.
struct PageState {
  std::uint32_t captures = 0;
  std::uint32_t items = 0;               // entries of a list, comments of an article: they only grow
  std::uint64_t nonce = 0;               // a token that some sites put into every answer
  std::uint32_t site_day = 0;            // which issue of the site's sidebar it was last shown with
  std::vector<std::uint16_t> revisions;  // of each paragraph
};

// Sites of a hundred pages each: a home page, lists, articles. Not thread-safe.
class SyntheticWeb {
 public:
  SyntheticWeb(std::uint64_t seed, std::uint32_t urls);

  std::uint32_t urls() const { return static_cast<std::uint32_t>(pages_.size()); }

  // Which URL the capture of this number is of: front pages and lists are visited more often than articles.
  std::uint32_t pick(std::uint64_t capture) const;

  std::string url(std::uint32_t page) const;

  // Lets time pass for the page, often without any change, and writes what it shows now.
  void capture(std::uint32_t page, std::uint64_t capture, std::string& html);

 private:
  struct Site;

  void evolve(std::uint32_t page, std::uint64_t capture);
  void append_words(std::uint64_t key, std::uint32_t count, std::string& out) const;
  void append_sentence(std::uint64_t key, std::string& out) const;
  void append_paragraph(std::uint64_t key, std::uint32_t sentences, std::string& out) const;
  void append_head(const Site& site, std::uint32_t page, std::string& out) const;
  void append_navigation(const Site& site, std::string& out) const;
  void append_article(const Site& site, std::uint32_t page, std::string& out) const;
  void append_list(const Site& site, std::uint32_t page, std::string& out) const;
  void append_sidebar(const Site& site, std::uint32_t day, std::string& out) const;
  void append_footer(const Site& site, const PageState& state, std::string& out) const;
  Site site_of(std::uint32_t page) const;

  std::uint64_t seed_;
  std::vector<std::string> words_;
  std::vector<std::uint16_t> word_table_;  // words by frequency: few common ones, many rare ones
  std::vector<PageState> pages_;
  std::vector<std::uint32_t> site_days_;  // issues of each site's sidebar
};

}  // namespace blockarch::bench
