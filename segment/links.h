// Where a page's source names other pages: the byte ranges of URLs in an HTML page, what they lead to, and
// the page with some of them replaced. Pure functions of bytes; raw bytes in any charset whose markup is
// ASCII (see markup_is_ascii).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/url.h"

namespace blockarch {

enum class LinkKind : std::uint8_t {
  attribute,  // the whole value of an attribute: href, src, action…
  base,       // the same, of the first <base> that has an href
  srcset,     // one candidate of a srcset
  refresh,    // the URL in <meta http-equiv=refresh content="5; url=…">
  css,        // url(…) or @import "…" in a style attribute or a <style> element
};

enum class LinkQuote : std::uint8_t {
  none,     // an attribute value without quotes
  single,   // '
  double_,  // "
  text,     // not in an attribute: the text of a <style> element
};

struct Link {
  std::uint64_t begin = 0;  // the URL as it stands in the source, without quotes
  std::uint64_t end = 0;    // one past its last byte
  LinkKind kind = LinkKind::attribute;
  LinkQuote quote = LinkQuote::none;
  // With character references decoded, otherwise as in the source: blanks around it and the page's charset
  // stay.
  std::string value;
};

// In source order, not overlapping. Time and memory are linear in the page for any bytes; a page over
// kMaxMarkupSize has none, and nothing is found after a tag with tens of thousands of made-up names or
// hundreds of thousands of attributes.
//
// Found are href (also xlink:href), src, action, formaction, poster, background, longdesc, cite, data of
// <object>, srcset, imagesrcset, meta refresh, and CSS. Empty values are reported for href only, "#…" not
// inside SVG. In srcset, refresh and style attributes only numeric references and &amp; &quot; &apos; &lt;
// &gt; are decoded. CSS URLs with escapes are not reported, nor anything inside scripts and comments.
std::vector<Link> find_links(ByteView html);

// Gives the new URL for a link, or nothing to leave it.
using LinkReplacement = std::function<std::optional<std::string>(const Link&)>;

// The page with those URLs replaced and every other byte as it was. `links` is what find_links gave for these
// bytes. New URLs are escaped for the place they stand in: character references in attributes,
// percent-encoding where a character would end the URL (a blank in a srcset, a bracket in CSS).
Bytes replace_links(ByteView html, const std::vector<Link>& links, const LinkReplacement& replacement);
Bytes replace_links(ByteView html, const LinkReplacement& replacement);

// What a link leads to.
struct LinkTarget {
  Url url;
  std::optional<std::string> fragment;  // without "#", percent-encoded ASCII
};

// Resolves a link's value as browsers do (WHATWG), against the page's own URL or that of its <base>. Blanks
// around it and line breaks inside are dropped. `charset` is the page's: bytes that are not UTF-8 are read in
// it, except in the query, where they are percent-encoded as they are. Nothing where it is no URL or longer
// than kMaxUrlLength.
std::optional<LinkTarget> resolve_link(std::string_view value, const Url& base, std::string_view charset = "utf-8");

}  // namespace blockarch
