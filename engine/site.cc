#include "engine/site.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/charset.h"
#include "base/url.h"
#include "engine/site_directory.h"
#include "engine/site_index.h"
#include "engine/site_links.h"
#include "engine/site_names.h"
#include "objects/object_source.h"

namespace blockarch {
namespace {

bool is_html(std::string_view media_type) {
  return media_type == "text/html" || media_type == "application/xhtml+xml";
}

class SiteCheckout {
 public:
  SiteCheckout(const Snapshot& snapshot, const SiteOptions& options, SiteDirectory directory)
      : snapshot_(snapshot), options_(options), directory_(std::move(directory)) {}

  Result<SiteReport> run() {
    BA_TRY(name_pages());
    if (Result<void> written = write_pages(); !written) {
      Error error = std::move(written).error();
      error.message +=
          fmt::format("; {} of {} pages were written to {}", report_.pages, numbers_.size(), directory_.path());
      return error;
    }
    return std::move(report_);
  }

 private:
  // A page that is there at that time, without its bytes.
  struct Found {
    CaptureInfo capture;
    Url url;
    Version version;
  };

  Result<void> name_pages() {
    BA_TRY(snapshot_.urls(options_.filter, [this](const UrlSummary& summary) {
      if (summary.first > options_.at) {
        ++report_.skipped;
      } else if (Result<Found> found = find(summary.number); found) {
        names_.add(found->url, found->version.media_type);
        numbers_.push_back(summary.number);
      } else {
        note(summary.url, found.error());
      }
      return true;
    }));
    names_.assign();
    return {};
  }

  Result<void> write_pages() {
    BA_ASSIGN(SiteFile index, directory_.create_file(kSiteIndex));
    BA_TRY(index.append(site_index_head(options_.at, numbers_.size())));
    std::uint64_t done = 0;
    for (const UrlNumber number : numbers_) {
      BA_ASSIGN(const SiteIndexRow row, write_page(number));
      BA_TRY(index.append(site_index_row(row)));
      if (options_.progress) options_.progress(++done, numbers_.size());
    }
    BA_TRY(index.append(site_index_tail()));
    return index.close();
  }

  // Only errors to write are errors here.
  Result<SiteIndexRow> write_page(UrlNumber number) {
    Result<Found> found = find(number);
    if (!found) return note("", found.error());
    SiteIndexRow row{found->capture.url, {}, found->capture.time, 0};
    Result<Page> page = snapshot_.page(found->capture);
    if (!page) return note(row.url, page.error());
    Bytes bytes = std::move(page->bytes);
    if (!options_.exact && is_html(found->version.media_type) && markup_is_ascii(found->version.charset)) {
      LocalPage local = with_local_links(std::move(bytes), found->url, found->version.charset, names_);
      bytes = std::move(local.bytes);
      report_.links_rewritten += local.links;
    }
    row.path = names_.path_of(found->url.href);
    row.size = bytes.size();
    BA_TRY(directory_.write_file(row.path, bytes));
    ++report_.pages;
    report_.bytes += bytes.size();
    return row;
  }

  Result<Found> find(UrlNumber number) const {
    Found found;
    BA_ASSIGN(found.capture, snapshot_.capture_at(number, options_.at));
    BA_ASSIGN(found.url, parse_url(found.capture.url));
    BA_ASSIGN(found.version, load_version(snapshot_.objects(), found.capture.version));
    return found;
  }

  SiteIndexRow note(const std::string& url, const Error& error) {
    report_.problems.push_back(url.empty() ? error.message : url + ": " + error.message);
    return {url, {}, {}, 0};
  }

  const Snapshot& snapshot_;
  const SiteOptions& options_;
  SiteDirectory directory_;
  SiteNames names_;
  std::vector<UrlNumber> numbers_;  // of the named pages, in key order
  SiteReport report_;
};

}  // namespace

Result<SiteReport> checkout_site(const Snapshot& snapshot, const std::string& directory, const SiteOptions& options) {
  BA_ASSIGN(SiteDirectory target, SiteDirectory::create(directory));
  return SiteCheckout(snapshot, options, std::move(target)).run();
}

}  // namespace blockarch
