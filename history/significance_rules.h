// Which differences between two versions of a page say nothing: rules in a file (docs/history.md), applied when reading,
// never when storing.
//
//   blockarch-significance 1
//   name house rules 3
//   ignore select div.visitor-counter, #clock
//   ignore label ad
//   ignore attribute data-request-*
//   ignore parameter utm_*
//   ignore text \d+ (?:views|readers)
//   ignore source "token":"([^"]*)"
//   ignore comments
//   for https://shop.example/*
//   ignore select .price
//   keep select .price-history
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "history/page_blocks.h"
#include "segment/label.h"

namespace blockarch {

inline constexpr std::size_t kMaxSignificanceFile = 1 << 20;
inline constexpr std::size_t kMaxSignificanceRules = 2000;

// Immutable once made; any number of threads may use it.
class SignificanceRules {
 public:
  // invalid with "NAME:LINE:COLUMN: what is wrong"; columns count characters.
  static Result<SignificanceRules> parse(std::string_view text, const std::string& name);
  // The rules that the program brings, and their text.
  static const SignificanceRules& built_in();
  static std::string_view built_in_text();

  SignificanceRules(SignificanceRules&&) noexcept;
  SignificanceRules& operator=(SignificanceRules&&) noexcept;
  ~SignificanceRules();

  // "built-in 2": what the file calls itself; its own name where it says nothing.
  const std::string& name() const;
  std::size_t size() const;

  // What of the page is noise, sorted, disjoint, none empty. `read_only`: blocks without text or pictures are not looked
  // at, where only what is read will be compared. Time is linear in the page for each rule.
  std::vector<NoiseRange> find_noise(ByteView page, const PageBlocks& blocks, std::string_view url,
                                     bool read_only) const;

  struct Impl;

 private:
  explicit SignificanceRules(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

// The bytes of a stretch of the page with each noise range in it as one byte, kNoiseMark.
inline constexpr char kNoiseMark = '\x01';
Bytes without_noise(ByteView page, std::uint64_t begin, std::uint64_t end, const std::vector<NoiseRange>& noise);

// Leaves out the blocks that are noise as a whole, and gives the others the ids of their bytes without noise: what
// differs by noise only is then the same.
void drop_noise(ByteView page, PageBlocks& blocks, std::vector<NoiseRange> noise);

}  // namespace blockarch
