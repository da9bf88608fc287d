// Significance rules as they stand in a file. Private to history/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "segment/css_reader.h"
#include "segment/label.h"

namespace blockarch {

class TextPattern;

struct NoiseRule {
  enum class Kind { select, label, attribute, parameter, text, source, comments };
  Kind kind = Kind::select;
  bool keep = false;  // of select: what is inside is never noise
  std::string scope;  // a glob over URLs; empty = every URL
  std::string value;  // the selector, the glob, the pattern
  BlockLabel label = BlockLabel::none;
  std::shared_ptr<const TextPattern> pattern;  // of text and source
  std::shared_ptr<const CssSheet> selector;    // of select
};

struct NoiseRuleFile {
  std::string name;
  std::vector<NoiseRule> rules;
};

// invalid with "NAME:LINE:COLUMN: what is wrong".
Result<NoiseRuleFile> parse_noise_rules(std::string_view text, const std::string& name);

// A regular expression over pieces of pages, by RE2.
class TextPattern {
 public:
  // invalid says what is wrong; `at` is set to where in the pattern, as far as that is known.
  static Result<std::shared_ptr<const TextPattern>> compile(std::string_view pattern, std::size_t& at);
  ~TextPattern();

  // Calls back with the part that is meant: the first group, or all of it. Nothing for an empty match.
  template <typename Visit>
  void each(std::string_view text, Visit visit) const {
    std::size_t at = 0;
    std::string_view found;
    while (at <= text.size() && next(text, at, found)) {
      if (!found.empty()) visit(found);
    }
  }

 private:
  struct Impl;
  explicit TextPattern(std::unique_ptr<const Impl> impl);
  // The next match from `at`, which is then behind it.
  bool next(std::string_view text, std::size_t& at, std::string_view& found) const;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace blockarch
