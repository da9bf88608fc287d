#include "segment/auto.h"

#include <algorithm>
#include <array>

#include "base/charset.h"
#include "segment/cut_rules.h"
#include "segment/html_elements.h"
#include "segment/media_type.h"
#include "segment/partition.h"
#include "segment/xml_elements.h"

namespace blockarch {
namespace {

constexpr std::size_t kSniffed = 4096;

bool starts_with_ignoring_case(ByteView bytes, ByteView lower) {
  return bytes.size() >= lower.size() && std::equal(lower.begin(), lower.end(), bytes.begin(), [](char x, char y) {
           return x == (y >= 'A' && y <= 'Z' ? y - 'A' + 'a' : y);
         });
}

ByteView skip_blank(ByteView bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\f");
  return first == ByteView::npos ? ByteView() : bytes.substr(first);
}

// Past byte order mark, white space, comments and processing instructions, to where the document says what it
// is.
struct Start {
  ByteView rest;
  bool xml_declaration = false;
};

Start find_start(ByteView payload) {
  Start start{payload.substr(0, kSniffed)};
  if (start.rest.starts_with("\xEF\xBB\xBF")) start.rest.remove_prefix(3);
  while (true) {
    start.rest = skip_blank(start.rest);
    const bool comment = start.rest.starts_with("<!--");
    if (!comment && !start.rest.starts_with("<?")) return start;
    start.xml_declaration = start.xml_declaration || start.rest.starts_with("<?xml");
    const ByteView close = comment ? "-->" : ">";
    const std::size_t end = start.rest.find(close);
    if (end == ByteView::npos) return start;
    start.rest.remove_prefix(end + close.size());
  }
}

bool begins_with_tag(ByteView rest, ByteView name) {
  if (!rest.starts_with('<') || !starts_with_ignoring_case(rest.substr(1), name)) return false;
  const ByteView after = rest.substr(1 + name.size());
  return after.empty() || ByteView(" \t\r\n\f/>").find(after[0]) != ByteView::npos;
}

bool begins_with_xml_root(ByteView rest) {
  constexpr auto kRoots = std::to_array<ByteView>({"rss", "feed", "urlset", "sitemapindex", "rdf:rdf", "opml"});
  return std::any_of(kRoots.begin(), kRoots.end(), [&](ByteView name) { return begins_with_tag(rest, name); });
}

// Types that say nothing, or that servers send for whatever they do not know.
bool is_vague(std::string_view type) {
  return type.empty() || type == "text/plain" || type == "application/octet-stream" || type == "unknown/unknown" ||
         type == "application/unknown" || type == "*/*";
}

class AutoSegmenter final : public Segmenter {
 public:
  std::string_view name() const override { return "auto"; }

  // Rules that were learnt for a URL (cut_rules.h).
  bool takes_profile(std::string_view profile) const override { return decode_cut_rules(profile).has_value(); }

  Segmentation segment(ByteView payload, const SegmentOptions& options) const override {
    const CutRules rules = decode_cut_rules(options.profile).value_or(CutRules());
    const int level = options.level <= 0 ? kMaxLevel : std::min(options.level, kMaxLevel);
    const bool readable = payload.size() <= kMaxMarkupSize && markup_is_ascii(options.charset);
    switch (readable ? sniff_markup(payload, options.media_type) : Markup::none) {
      case Markup::html:
        return partition(payload, html_elements(payload), level, {}, rules);
      case Markup::xml:
        return partition(payload, xml_elements(payload), level, {}, rules);
      case Markup::none:
        break;
    }
    return {{{0, payload.size(), kNoParent, 0, {}}}};
  }
};

}  // namespace

Markup sniff_markup(ByteView payload, std::string_view media_type) {
  const std::string type = is_vague(media_type) ? sniff_media_type(payload) : std::string(media_type);
  const bool xml = is_xml_media_type(type);
  if (!xml && !is_html_media_type(type)) return Markup::none;
  const Start start = find_start(payload);
  if (begins_with_xml_root(start.rest)) return Markup::xml;
  const bool page = starts_with_ignoring_case(start.rest, "<!doctype html") || begins_with_tag(start.rest, "html");
  if (page && xml) return start.xml_declaration || is_html_media_type(type) ? Markup::xml : Markup::html;
  return xml ? Markup::xml : Markup::html;
}

const Segmenter& auto_segmenter() {
  static const AutoSegmenter segmenter;
  return segmenter;
}

}  // namespace blockarch
