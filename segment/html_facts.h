// What an HTML page says about itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace blockarch {

struct HtmlFacts {
  std::string title;     // UTF-8, blanks collapsed; empty where there is none
  std::string language;  // of <html lang> (or xml:lang), as written: "de-CH"; empty where there is none or it is no tag
};

// How much of a page is looked at, and how long a title may be: a longer one is cut between characters.
inline constexpr std::size_t kFactsWindow = 1 << 20;
inline constexpr std::size_t kMaxTitle = 1024;
// The longest language tag that is believed.
inline constexpr std::size_t kMaxLanguage = 35;

// `charset` is the page's (see detect_charset). Total, linear, thread-safe. The title is that of the first <title> outside
// SVG and MathML, as browsers show it.
HtmlFacts html_facts(ByteView page, std::string_view charset);

// "de", "zh-Hant-TW": letters, digits and "-", beginning with a letter, at most kMaxLanguage.
bool is_language_tag(std::string_view text);

// Cut to at most `limit` bytes, never inside a UTF-8 character.
std::string_view cut_utf8(std::string_view text, std::size_t limit);

}  // namespace blockarch
