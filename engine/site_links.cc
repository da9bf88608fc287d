#include "engine/site_links.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "segment/link_values.h"
#include "segment/links.h"

namespace blockarch {
namespace {

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~,=@+").find(c) != std::string_view::npos;
    if (plain) {
      out.push_back(c);
    } else {
      append_percent(out, c);
    }
  }
  return out;
}

std::string_view trimmed(std::string_view value) {
  while (!value.empty() && static_cast<unsigned char>(value.front()) <= 0x20) value.remove_prefix(1);
  return value;
}

bool has_scheme(std::string_view value) {
  const std::size_t end = value.find_first_of(":/?#");
  return end != std::string_view::npos && end > 0 && value[end] == ':';
}

// Large, many, and never a page.
bool leads_to_no_page(std::string_view value) {
  constexpr std::array<std::string_view, 5> kSchemes{"data:", "javascript:", "mailto:", "tel:", "blob:"};
  return std::any_of(kSchemes.begin(), kSchemes.end(), [&](std::string_view s) { return value.starts_with(s); });
}

class PageLinks {
 public:
  PageLinks(const Url& url, std::string_view charset, const SiteNames& names)
      : charset_(charset), names_(names), path_(names.path_of(url.href)), base_(url) {}

  void set_base(std::string_view href) {
    has_base_ = true;
    std::optional<LinkTarget> target = resolve_link(href, base_, charset_);
    if (target && target->url.scheme != "data" && target->url.scheme != "javascript") base_ = std::move(target->url);
  }

  bool has_base() const { return has_base_; }
  std::uint64_t local() const { return local_; }

  std::optional<std::string> replacement(const Link& link) {
    if (link.kind == LinkKind::base) return std::string();
    const std::string_view value = trimmed(link.value);
    if (leads_to_no_page(value)) return std::nullopt;
    const bool same_page = value.empty() || value.starts_with('#');
    // Without a <base> such a link stays in the page; in CSS it always does.
    if (same_page && (!has_base_ || link.kind == LinkKind::css)) return std::nullopt;
    const std::optional<LinkTarget> target = resolve_link(value, base_, charset_);
    if (!target) return std::nullopt;
    const std::string fragment = target->fragment ? "#" + *target->fragment : std::string();
    const std::string_view found = find_page(names_, target->url);
    if (found.empty()) {
      if (!has_base_ || has_scheme(value)) return std::nullopt;
      return target->url.href + fragment;
    }
    ++local_;
    if (found == path_ && target->fragment) return fragment;
    return relative_link(path_, found) + fragment;
  }

 private:
  std::string_view charset_;
  const SiteNames& names_;
  std::string_view path_;
  Url base_;
  bool has_base_ = false;
  std::uint64_t local_ = 0;
};

}  // namespace

std::string relative_link(std::string_view from, std::string_view to) {
  const std::size_t limit = std::min(from.size(), to.size());
  std::size_t common = 0;  // one past the last "/" up to which both are the same
  for (std::size_t i = 0; i < limit && from[i] == to[i]; ++i)
    if (from[i] == '/') common = i + 1;
  std::string link;
  const std::string_view rest = from.substr(common);
  for (auto up = std::count(rest.begin(), rest.end(), '/'); up > 0; --up) link += "../";
  return link + percent_encoded(to.substr(common));
}

std::string_view find_page(const SiteNames& names, const Url& url) {
  std::vector<std::string> schemes{url.scheme};
  if (url.scheme == "http") schemes.emplace_back("https");
  if (url.scheme == "https") schemes.emplace_back("http");
  const std::size_t tail = url.path.size() + (url.has_query ? url.query.size() + 1 : 0);
  const std::string before = url.href.substr(url.scheme.size(), url.href.size() - tail - url.scheme.size());
  const std::string query = url.has_query ? "?" + url.query : std::string();
  std::string other_path = url.path;
  if (!other_path.ends_with('/')) {
    other_path.push_back('/');
  } else if (other_path.size() > 1) {
    other_path.pop_back();
  }
  for (const std::string* path : {&url.path, &std::as_const(other_path)}) {
    for (const std::string& scheme : schemes) {
      const std::string_view found = names.path_of(scheme + before + *path + query);
      if (!found.empty()) return found;
    }
  }
  return {};
}

LocalPage with_local_links(Bytes html, const Url& url, std::string_view charset, const SiteNames& names) {
  const std::vector<Link> links = find_links(html);
  PageLinks page(url, charset, names);
  for (const Link& link : links)
    if (link.kind == LinkKind::base) page.set_base(link.value);
  Bytes rewritten = replace_links(html, links, [&](const Link& link) { return page.replacement(link); });
  // Where no link leads to a file the <base> does no harm, and the page stays as it was captured.
  if (page.local() == 0) return {std::move(html), 0};
  return {std::move(rewritten), page.local()};
}

}  // namespace blockarch
