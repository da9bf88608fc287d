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
// A rule ends at an empty line, at the next `match` after its `set` lines, and at the end of the file. '#' after a blank,
// or at the beginning of a line, begins a comment.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "engine/writer.h"

namespace blockarch {

inline constexpr std::size_t kMaxRulesFile = 1 << 20;
inline constexpr std::size_t kMaxRules = 10'000;
inline constexpr std::size_t kMaxRuleKeys = 1024;  // different keys that one file sets for captures
// Longer values (of a header, of a group) are cut.
inline constexpr std::size_t kMaxRuleValue = 4096;

using MetadataEntries = std::vector<std::pair<std::string, std::string>>;

// What a rule may look at.
struct RuleInput {
  std::string_view url;
  std::string_view content_type;             // as given; where it is empty the type is decided from the bytes
  const MetadataEntries* headers = nullptr;  // of the HTTP response, names in any case
  ByteView payload;
};

// Each key at most once: of several rules that set it the last one counts. Sorted by key.
struct RuleOutput {
  MetadataEntries capture;
  MetadataEntries url;
};

// Immutable once parsed; any number of threads may apply it at once.
class MetadataRules {
 public:
  // invalid with "NAME:LINE:COLUMN: what is wrong"; columns count characters.
  static Result<MetadataRules> parse(std::string_view text, const std::string& name);

  MetadataRules(MetadataRules&&) noexcept;
  MetadataRules& operator=(MetadataRules&&) noexcept;
  ~MetadataRules();

  // Linear in what is looked at: the URL and headers, and the beginning of the page where a rule asks for its title or
  // language. What the page does not have is not set. The output is always within the limits of a capture's metadata.
  RuleOutput apply(const RuleInput& input) const;

  // The same for a request on its way to the writer, whose payload and content type are in place. A key that the request
  // has already is left as it is.
  void apply(CaptureRequest& request, const MetadataEntries* headers = nullptr) const;

  struct Impl;

 private:
  explicit MetadataRules(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace blockarch
