// Rules that make metadata of a capture from its URL, type, headers and content (docs/metadata-rules.md):
//
//   match url https://*.example.org/news/*        # all match lines of a rule must hold
//   match url-regex ^https://[^/]+/(\d{4})/
//   match mime text/html
//   match header server nginx*
//   set collection = "News sites"                 # of the capture
//   set year = $1                                 # a group of url-regex
//   set server = header server
//   set title = title                             # of an HTML page
//   set-url owner = "Press office"                # of the URL
//
// A rule begins with its first `match` or after an empty line; '#' begins a comment.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

using MetadataEntries = std::vector<std::pair<std::string, std::string>>;

// What a rule may look at.
struct RuleInput {
  std::string_view url;
  std::string_view content_type;             // as given; empty where nothing was
  const MetadataEntries* headers = nullptr;  // of the HTTP response, names in any case
  ByteView payload;
};

struct RuleOutput {
  MetadataEntries capture;
  MetadataEntries url;
};

// Immutable once parsed; any number of threads may apply it at once.
class MetadataRules {
 public:
  // invalid with "NAME:LINE:COLUMN: what is wrong".
  static Result<MetadataRules> parse(std::string_view text, const std::string& name);

  MetadataRules(MetadataRules&&) noexcept;
  MetadataRules& operator=(MetadataRules&&) noexcept;
  ~MetadataRules();

  RuleOutput apply(const RuleInput& input) const;

  struct Impl;

 private:
  explicit MetadataRules(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace blockarch
