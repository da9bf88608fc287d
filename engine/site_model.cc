#include "engine/site_model.h"

#include <fmt/format.h>

#include "base/url.h"

namespace blockarch {
namespace {

std::string setting_name(const std::string& site) {
  return "tagtree/" + site;
}

}  // namespace

Result<std::string> site_of(std::string_view host_or_url) {
  const bool is_url = host_or_url.find("://") != std::string_view::npos;
  const auto url = parse_url(is_url ? std::string(host_or_url) : fmt::format("https://{}/", host_or_url));
  const bool only_host = is_url || (url && url->path == "/" && !url->has_query);
  if (url && only_host && !url->host.empty()) return url->host;
  return Error{ErrorCode::invalid, fmt::format("'{}' is no site: give a host or a URL", host_or_url.substr(0, 200))};
}

Result<std::optional<TagTreeModel>> find_site_model(const Snapshot& snapshot, const std::string& site) {
  BA_ASSIGN(const auto text, snapshot.find_setting(setting_name(site)));
  if (!text) return std::optional<TagTreeModel>();
  auto model = decode_model(*text);
  if (!model) {
    return Error{ErrorCode::corrupt, fmt::format("what was learnt about {} cannot be read: train it again", site)};
  }
  return std::optional<TagTreeModel>(std::move(*model));
}

Result<void> put_site_model(Writer& writer, const std::string& site, const TagTreeModel& model) {
  return writer.put_setting({setting_name(site), encode_model(model)});
}

}  // namespace blockarch
