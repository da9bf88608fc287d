#include "warc/cdxj.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "warc/text.h"

namespace blockarch {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// "8080"; an href has a port only where it is not the usual one.
std::string_view port_of(const Url& url) {
  std::string_view rest = url.href;
  const std::size_t slashes = rest.find("://");
  if (slashes == std::string_view::npos) return {};
  rest.remove_prefix(slashes + 3);
  rest = rest.substr(0, rest.find_first_of("/?"));
  rest.remove_prefix(rest.rfind('@') + 1);
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || !all_digits(rest.substr(colon + 1))) return {};
  return rest.substr(colon + 1);
}

bool is_address(std::string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

// "www.", "www2."
std::string_view without_www(std::string_view host) {
  if (!host.starts_with("www")) return host;
  const std::size_t dot = host.find_first_not_of("0123456789", 3);
  if (dot == std::string_view::npos || host[dot] != '.' || dot + 1 == host.size()) return host;
  return host.substr(dot + 1);
}

}  // namespace

std::string surt_key(const Url& url) {
  std::string key;
  if (is_address(url.host)) {
    key = url.host;
  } else {
    auto labels = split(without_www(url.host), '.');
    std::reverse(labels.begin(), labels.end());
    for (const std::string_view label : labels) key.append(key.empty() ? "" : ",").append(label);
  }
  if (const auto port = port_of(url); !port.empty()) key.append(":").append(port);
  key += ")";
  std::string path = url.path.empty() ? "/" : url.path;
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();
  key += path;
  if (!url.query.empty()) {
    auto fields = split(url.query, '&');
    std::sort(fields.begin(), fields.end());
    char before = '?';
    for (const std::string_view field : fields) key.append(1, std::exchange(before, '&')).append(field);
  }
  std::transform(key.begin(), key.end(), key.begin(), lower);
  return key;
}

std::string format_cdxj(const Url& url, Time date, const HeaderFields& fields) {
  nlohmann::ordered_json json;
  json["url"] = url.given;
  for (const auto& [name, value] : fields) json[name] = value;
  return surt_key(url) + " " + format_timestamp14(date) + " " +
         json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace blockarch
