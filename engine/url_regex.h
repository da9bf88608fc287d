// A regular expression over URLs, in RE2's syntax: linear in the URL, with bounded memory, whatever the pattern.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace blockarch {

class UrlRegex {
 public:
  // invalid says what is wrong with the pattern.
  static Result<UrlRegex> compile(std::string_view pattern);

  UrlRegex(UrlRegex&&) noexcept;
  UrlRegex& operator=(UrlRegex&&) noexcept;
  ~UrlRegex();

  int groups() const;

  // Somewhere in the text; groups[0] is the whole match, a group that took no part is nothing. Views look into `text`.
  // Any number of threads at once.
  bool find(std::string_view text, std::vector<std::optional<std::string_view>>& groups) const;

 private:
  struct Impl;
  explicit UrlRegex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace blockarch
