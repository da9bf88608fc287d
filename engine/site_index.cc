#include "engine/site_index.h"

#include <fmt/format.h>

#include <array>

#include "base/charset.h"
#include "engine/site_links.h"

namespace blockarch {
namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}"
    "h1{font-size:1.4rem;font-weight:600;margin:0}"
    "p{margin:.2rem 0 1.5rem;opacity:.7}"
    "table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #8884;vertical-align:top}"
    "th{font-weight:600;border-bottom-width:2px}"
    "td:first-child{overflow-wrap:anywhere}"
    "time,td:last-child{white-space:nowrap;font-variant-numeric:tabular-nums}"
    "th:last-child,td:last-child{text-align:right;padding-right:0}"
    "a{text-decoration:none}a:hover{text-decoration:underline}"
    "del{opacity:.6}";

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

std::string readable_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 3> kUnits{"kB", "MB", "GB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; size >= 999.95 && unit + 1 < kUnits.size(); ++unit) size /= 1000;
  return fmt::format("{:.1f} {}", size, kUnits[unit]);
}

// For people: to the second.
std::string readable_time(Time time) {
  const std::string text = format_rfc3339(time);
  return fmt::format("{} {} UTC", text.substr(0, 10), text.substr(11, 8));
}

}  // namespace

std::string site_index_head(Time at, std::uint64_t pages) {
  const std::string count = fmt::format("{} {}", pages, pages == 1 ? "page" : "pages");
  const std::string when = at == Time::max() ? "newest captures" : "as of " + readable_time(at);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<title>{}, {}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>Archived pages</h1>\n<p>{}, {}</p>\n"
      "<table>\n<thead><tr><th>Page</th><th>Captured</th><th>Size</th></tr></thead>\n<tbody>\n",
      count, when, kStyle, count, when);
}

std::string site_index_row(const SiteIndexRow& row) {
  const std::string url = escaped(to_utf8(row.url, "utf-8"));
  if (row.path.empty())
    return fmt::format("<tr><td><del>{}</del></td><td colspan=\"2\">could not be read</td></tr>\n", url);
  return fmt::format("<tr><td><a href=\"{}\">{}</a></td><td><time datetime=\"{}\">{}</time></td><td>{}</td></tr>\n",
                     escaped(relative_link("", row.path)), url, format_rfc3339(row.captured),
                     readable_time(row.captured), readable_size(row.size));
}

std::string site_index_tail() {
  return "</tbody>\n</table>\n</body>\n</html>\n";
}

}  // namespace blockarch
