// URLs inside values and texts that hold more than a URL: srcset, meta refresh, CSS.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockarch {

struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextRange&) const = default;
};

// An attribute's value with its character references decoded, that still knows where each byte stood. Decodes
// numeric references and &amp; &quot; &apos; &lt; &gt;, the ones that tools write into such values; others
// stay as they are.
class DecodedValue {
 public:
  explicit DecodedValue(std::string_view source);

  const std::string& text() const { return text_; }
  // The source's range for a range of text() that does not begin or end inside a reference.
  TextRange in_source(const TextRange& range) const;

 private:
  struct Step {
    std::size_t text;
    std::size_t source;
  };
  std::size_t source_offset(std::size_t at) const;

  std::string text_;
  std::vector<Step> steps_;  // where the two run on side by side again, after each reference
};

// The candidates' URLs.
std::vector<TextRange> srcset_urls(std::string_view text);
// The URL in the content of a meta refresh.
std::optional<TextRange> refresh_url(std::string_view text);
// What url(…) and @import name, without quotes; empty ones and those with escapes are left out.
std::vector<TextRange> css_urls(std::string_view text);

// "%2F" for '/'.
void append_percent(std::string& out, char c);

}  // namespace blockarch
