#include "transfer/export_selection.h"

#include <algorithm>
#include <string_view>

#include "engine/glob.h"

namespace blockarch {
namespace {

class UrlTest {
 public:
  explicit UrlTest(const ExportSelection& selection) : selection_(selection) {
    for (const std::string& pattern : selection.patterns) {
      globs_.push_back(pattern.find('*') == std::string::npos ? "*" + pattern + "*" : pattern);
    }
  }

  bool operator()(const UrlSummary& url) const {
    std::string_view text = url.url;
    if (text.starts_with(kRecordScheme)) {
      if (!selection_.records) return false;
      text.remove_prefix(std::min(text.find(':') + 1, text.size()));
    }
    if (selection_.since && url.last < *selection_.since) return false;
    if (selection_.until && url.first > *selection_.until) return false;
    return globs_.empty() ||
           std::any_of(globs_.begin(), globs_.end(), [&](const std::string& glob) { return matches_glob(glob, text); });
  }

 private:
  const ExportSelection& selection_;
  std::vector<std::string> globs_;
};

Result<void> each_url(const Snapshot& snapshot, const ExportSelection& selection,
                      const std::function<Result<void>(const UrlSummary&)>& each) {
  const UrlTest wanted(selection);
  UrlFilter filter;
  filter.host = selection.host;
  filter.subdomains = selection.subdomains;
  Result<void> result;
  BA_TRY(snapshot.urls(filter, [&](const UrlSummary& url) {
    if (wanted(url)) result = each(url);
    return result.has_value();
  }));
  return result;
}

Result<void> each_at_instants(const Snapshot& snapshot, const ExportSelection& selection, UrlNumber url,
                              const std::function<Result<void>(const ExportCapture&)>& each) {
  std::vector<Time> instants = selection.instants;
  std::sort(instants.begin(), instants.end());
  std::optional<Time> last;
  for (const Time instant : instants) {
    auto capture = snapshot.capture_at(url, instant);
    if (!capture && capture.error().code == ErrorCode::not_found) continue;
    if (!capture) return capture.error();
    const bool outside =
        (selection.since && capture->time < *selection.since) || (selection.until && capture->time > *selection.until);
    if (outside || capture->time == last) continue;
    last = capture->time;
    BA_TRY(each({capture->time, capture->version, std::move(capture->metadata), false}));
  }
  return {};
}

}  // namespace

Result<void> each_selected_url(const Snapshot& snapshot, const ExportSelection& selection,
                               const std::function<Result<void>(const ExportUrl&)>& each) {
  return each_url(snapshot, selection, [&](const UrlSummary& summary) -> Result<void> {
    ExportUrl url;
    url.number = summary.number;
    url.captures = summary.captures;
    BA_ASSIGN(url.url, parse_url(summary.url));
    url.given = summary.url;
    return each(url);
  });
}

Result<void> each_selected_capture(const Snapshot& snapshot, const ExportSelection& selection, UrlNumber url,
                                   const std::function<Result<void>(const ExportCapture&)>& each) {
  if (!selection.instants.empty()) return each_at_instants(snapshot, selection, url, each);
  LogOptions options;
  options.since = selection.since;
  options.until = selection.until;
  options.unchanged = true;
  options.oldest_first = true;
  Result<void> result;
  BA_TRY(snapshot.log(url, options, [&](const LogEntry& entry) {
    // The log calls an entry damaged also where only the version is; that shows when the page is read.
    result = each({entry.time, entry.version, entry.metadata, entry.damaged});
    return result.has_value();
  }));
  return result;
}

Result<std::uint64_t> count_captures(const Snapshot& snapshot, const ExportSelection& selection) {
  std::uint64_t count = 0;
  BA_TRY(each_url(snapshot, selection, [&](const UrlSummary& url) -> Result<void> {
    count += url.captures;
    return {};
  }));
  return count;
}

}  // namespace blockarch
