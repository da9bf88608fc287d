#include <algorithm>
#include <string_view>

#include "segment/link_values.h"
#include "segment/links.h"

namespace blockarch {
namespace {

// Characters that would end the URL or mean something else where it stands.
std::string_view unsafe_characters(LinkKind kind) {
  switch (kind) {
    case LinkKind::css:
      return "\"'()\\<>";
    case LinkKind::refresh:
      return "\"'";
    default:
      return {};
  }
}

std::string percent_encoded_for(LinkKind kind, std::string_view url) {
  if (kind == LinkKind::attribute || kind == LinkKind::base) return std::string(url);
  std::string out;
  for (std::size_t i = 0; i < url.size(); ++i) {
    const char c = url[i];
    const bool control = static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
    // A comma at either end of a srcset's URL is read as the separator.
    const bool comma = kind == LinkKind::srcset && c == ',' && (i == 0 || i + 1 == url.size());
    if (control || comma || unsafe_characters(kind).find(c) != std::string_view::npos) {
      append_percent(out, c);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// Without quotes around it, a value ends at a blank or ">", and an empty one would swallow what follows.
std::string escaped_for(LinkQuote quote, std::string_view value) {
  if (quote == LinkQuote::text) return std::string(value);
  if (quote == LinkQuote::none && value.empty()) return "\"\"";
  std::string out;
  for (char c : value) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if ((c == '"' && quote != LinkQuote::single) || (c == '\'' && quote != LinkQuote::double_) ||
               (quote == LinkQuote::none && (c == '>' || c == ' ' || c == '`' || c == '=')) || control) {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

Bytes replace_links(ByteView html, const std::vector<Link>& links, const LinkReplacement& replacement) {
  Bytes out;
  out.reserve(html.size() + html.size() / 16);
  std::size_t done = 0;
  for (const Link& link : links) {
    if (link.begin < done || link.end > html.size()) continue;
    const std::optional<std::string> url = replacement(link);
    if (!url) continue;
    out.append(html.substr(done, link.begin - done));
    // Part of a value cannot be emptied by quotes, and need not be: an empty part is no URL.
    const bool whole = link.kind == LinkKind::attribute || link.kind == LinkKind::base;
    if (whole || !url->empty()) out += escaped_for(link.quote, percent_encoded_for(link.kind, *url));
    done = link.end;
  }
  out.append(html.substr(done));
  return out;
}

Bytes replace_links(ByteView html, const LinkReplacement& replacement) {
  return replace_links(html, find_links(html), replacement);
}

}  // namespace blockarch
