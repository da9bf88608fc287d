#include "cli/url_filter.h"

#include <fmt/format.h>

namespace blockarch {

Result<void> settle_host(UrlFilter& filter) {
  if (filter.host.empty()) {
    if (filter.subdomains) return Error{ErrorCode::invalid, "--subdomains goes with --host HOST"};
    return {};
  }
  const auto url = parse_url("https://" + filter.host + "/");
  // Whatever else a URL may have would be dropped in silence.
  if (!url || url->path != "/" ||
      filter.host.find_first_of(filter.host[0] == '[' ? "/?#@\\" : "/?#@:\\") != std::string::npos) {
    return Error{ErrorCode::invalid, fmt::format("'{}' is not a host: write it as in example.com", filter.host)};
  }
  filter.host = url->host;
  return {};
}

}  // namespace blockarch
