#include "transfer/export_html.h"

#include <fmt/format.h>

#include "base/charset.h"
#include "engine/file_extension.h"
#include "engine/site_directory.h"
#include "engine/site_links.h"
#include "engine/site_names.h"
#include "objects/object_source.h"
#include "transfer/export_directory.h"

namespace blockarch {
namespace {

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<title>Archived pages</title>\n<style>:root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}"
    "h1{font-size:1.4rem}h2{font-size:1rem;overflow-wrap:anywhere;margin:1.5rem 0 .3rem}"
    "ul{list-style:none;margin:0;padding:0}li{border-bottom:1px solid #8884;padding:.2rem 0}"
    "a{text-decoration:none}a:hover{text-decoration:underline}"
    "span{opacity:.7;margin-left:1rem;font-variant-numeric:tabular-nums}</style>\n</head>\n<body>\n"
    "<h1>Archived pages</h1>\n";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

class HtmlExport {
 public:
  HtmlExport(const Snapshot& snapshot, const HtmlExportOptions& options, SiteDirectory directory)
      : snapshot_(snapshot), options_(options), directory_(std::move(directory)) {}

  Result<ExportReport> run() {
    BA_TRY(each_selected_url(snapshot_, options_.selection, [this](const ExportUrl& url) -> Result<void> {
      names_.add(url.url, newest_type(url.number));
      total_ += url.captures;
      return {};
    }));
    names_.assign();
    BA_ASSIGN(SiteFile index, directory_.create_file(kSiteIndex));
    BA_TRY(index.append(kHead));
    BA_TRY(each_selected_url(snapshot_, options_.selection,
                             [&](const ExportUrl& url) { return write_versions(url, index); }));
    BA_TRY(index.append(fmt::format("<p>{} pages, {} versions</p>\n</body>\n</html>\n", report_.urls, report_.files)));
    BA_TRY(index.close());
    return std::move(report_);
  }

 private:
  // Of the whole history, so that a narrower selection gives the same names.
  std::string newest_type(UrlNumber number) const {
    const auto capture = snapshot_.last_capture(number);
    if (!capture) return {};
    const auto version = load_version(snapshot_.objects(), capture->version);
    return version ? version->media_type : std::string();
  }

  // The walk over one URL.
  struct Current {
    std::optional<VersionId> version;
    std::optional<Hash256> payload;
    std::uint64_t size = 0;
    std::string second;  // of the last file, as its name says
    std::uint64_t in_second = 0;
    std::string list;
  };

  Result<void> write_versions(const ExportUrl& url, SiteFile& index) {
    Current current;
    BA_TRY(each_selected_capture(snapshot_, options_.selection, url.number,
                                 [&](const ExportCapture& capture) { return add_capture(url, capture, current); }));
    done_ += url.captures;
    if (options_.progress) options_.progress(done_, total_);
    if (current.list.empty()) return {};
    ++report_.urls;
    return index.append(
        fmt::format("<h2>{}</h2>\n<ul>\n{}</ul>\n", escaped(to_utf8(url.given, "utf-8")), current.list));
  }

  Result<void> add_capture(const ExportUrl& url, const ExportCapture& capture, Current& current) {
    if (current.version != capture.version) {
      auto page = snapshot_.page(capture.version);
      if (!page) {
        if (page.error().code != ErrorCode::corrupt && page.error().code != ErrorCode::not_found) return page.error();
        report_.add_problem(fmt::format("{} at {}: {}", url.given, format_rfc3339(capture.time), page.error().message));
        return {};
      }
      // The same bytes may be two versions, cut by different segmenters.
      if (current.payload != page->version.payload_hash) BA_TRY(write_page(url, capture.time, *page, current));
      current.version = capture.version;
      current.payload = page->version.payload_hash;
      current.size = page->bytes.size();
    }
    ++report_.captures;
    report_.payload_bytes += current.size;
    return {};
  }

  Result<void> write_page(const ExportUrl& url, Time time, const Page& page, Current& current) {
    std::string name = format_timestamp14(time);
    current.in_second = name == current.second ? current.in_second + 1 : 1;
    current.second = name;
    if (current.in_second > 1) name += fmt::format("-{}", current.in_second);
    const std::string path =
        fmt::format("{}/{}{}", names_.path_of(url.url.href), name, extension_for(page.version.media_type));
    BA_TRY(directory_.write_file(path, page.bytes));
    ++report_.files;
    report_.output_bytes += page.bytes.size();
    current.list += fmt::format("<li><a href=\"{}\">{}</a><span>{} bytes</span><span>{}</span></li>\n",
                                escaped(relative_link("", path)), format_rfc3339(time), page.bytes.size(),
                                escaped(page.version.media_type));
    return {};
  }

  const Snapshot& snapshot_;
  const HtmlExportOptions& options_;
  SiteDirectory directory_;
  SiteNames names_;
  std::uint64_t done_ = 0;
  std::uint64_t total_ = 0;
  ExportReport report_;
};

}  // namespace

Result<ExportReport> export_html(const Snapshot& snapshot, const std::string& directory,
                                 const HtmlExportOptions& options) {
  BA_ASSIGN(ExportDirectory target, ExportDirectory::create(directory));
  BA_ASSIGN(SiteDirectory files, SiteDirectory::create(target.path()));
  BA_ASSIGN(ExportReport report, HtmlExport(snapshot, options, std::move(files)).run());
  BA_TRY(target.finish());
  return report;
}

}  // namespace blockarch
