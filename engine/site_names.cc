#include "engine/site_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "engine/file_extension.h"
#include "segment/link_values.h"

namespace blockarch {
namespace {

constexpr std::size_t kMark = 9;  // "~" and 8 digits
// So that any last segment fits behind it.
constexpr std::size_t kMaxDirectory = kMaxNamePath - kMaxNameSegment - 1;
constexpr std::size_t kMaxQueryShown = 40;

std::string mark_of(std::string_view text, std::size_t digits = 8) {
  return digits == 0 ? std::string() : "~" + blake3(text).hex().substr(0, digits);
}

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Allowed in names by all file systems, and nothing special at the beginning or inside of a name in most
// shells.
bool is_safe(char c) {
  return is_alphanumeric(c) || std::string_view("-_.~+,=@()!'& ").find(c) != std::string_view::npos;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte that an escape at the beginning of the text stands for.
std::optional<char> escaped_byte(std::string_view text) {
  if (text.size() < 3 || text[0] != '%') return std::nullopt;
  const int high = hex_value(text[1]);
  const int low = hex_value(text[2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

std::string folded(std::string_view path) {
  std::string out(path);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_device_name(std::string_view segment) {
  std::string name = folded(segment.substr(0, segment.find('.')));
  while (name.ends_with(' ')) name.pop_back();
  constexpr std::array<std::string_view, 4> kDevices{"con", "prn", "aux", "nul"};
  if (std::find(kDevices.begin(), kDevices.end(), name) != kDevices.end()) return true;
  return name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt")) && name[3] >= '0' && name[3] <= '9';
}

std::string with_safe_ends(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool bad_first = i == 0 && (c == '.' || c == '-' || c == ' ');
    const bool bad_last = i + 1 == text.size() && (c == '.' || c == ' ');
    if (bad_first || bad_last) {
      append_percent(out, c);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// A part of a URL as a file name, of any length. Escapes are decoded where what they stand for is safe.
std::string safe_segment(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> escaped = escaped_byte(text.substr(i));
    const char c = escaped.value_or(text[i]);
    if (is_safe(c)) {
      out.push_back(c);
    } else {
      append_percent(out, c);
    }
    if (escaped) i += 2;
  }
  out = with_safe_ends(out);
  if (out.empty() || is_device_name(out)) out.insert(out.begin(), '_');
  return out;
}

// At most `size` bytes, not ending inside an escape.
std::string cut(std::string_view text, std::size_t size) {
  if (text.size() <= size) return std::string(text);
  const std::size_t escape = text.substr(0, size).rfind('%');
  if (escape != std::string_view::npos && escape + 3 > size) size = escape;
  return std::string(text.substr(0, size));
}

std::string directory_segment(std::string_view text) {
  const std::string safe = safe_segment(text);
  if (safe.size() <= kMaxNameSegment) return safe;
  return cut(safe, kMaxNameSegment - kMark) + mark_of(text);
}

// "example.com" or "example.com_8080"; the scheme where a URL has no host.
std::string top_directory(const Url& url) {
  std::string host = url.host;
  if (host.starts_with('[')) {
    host = host.substr(1, host.size() - 2);
    std::replace(host.begin(), host.end(), ':', '_');
  }
  // What follows the host, before the path.
  const std::size_t tail = url.path.size() + (url.has_query ? url.query.size() + 1 : 0);
  const std::string_view before_path = std::string_view(url.href).substr(0, url.href.size() - tail);
  const std::size_t colon = before_path.rfind(':');
  const bool has_port = colon != std::string_view::npos && colon + 1 < before_path.size() && !url.host.empty() &&
                        before_path.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  if (has_port) host.append("_").append(before_path.substr(colon + 1));
  std::string name = directory_segment(host.empty() ? url.scheme : host);
  if (folded(name) == kSiteIndex) name.insert(name.begin(), '_');
  return name;
}

// The query in the characters that need no quoting.
std::string shown_query(std::string_view query) {
  std::string out;
  for (char c : query.substr(0, kMaxQueryShown)) {
    const bool plain = is_alphanumeric(c) || c == '-' || c == '.' || c == '=' || c == '_';
    out.push_back(plain ? c : '_');
  }
  return out;
}

// The directories of "/a/b/c" below `top`; false where some did not fit.
bool append_directories(std::string& directory, std::string_view folder) {
  while (!folder.empty()) {
    const std::size_t slash = std::min(folder.find('/'), folder.size());
    const std::string segment = directory_segment(folder.substr(0, slash));
    if (directory.size() + 1 + segment.size() > kMaxDirectory) return false;
    directory.append("/").append(segment);
    folder.remove_prefix(std::min(slash + 1, folder.size()));
  }
  return true;
}

}  // namespace

void SiteNames::add(const Url& url, std::string_view media_type) {
  const auto [position, is_new] = entries_.try_emplace(url.href);
  if (!is_new) return;
  Entry& entry = position->second;
  entry.secure = url.scheme == "https";
  entry.parts.directory = top_directory(url);
  std::string_view path = url.path;
  if (path.starts_with('/')) path.remove_prefix(1);
  const std::size_t last = path.rfind('/') + 1;  // 0 where there is none
  const bool whole = append_directories(entry.parts.directory, path.substr(0, last));
  entry.marked = url.has_query || !whole;

  const std::string name = last == path.size() ? "index" : safe_segment(path.substr(last));
  const std::size_t stem = name.size() - kept_extension(name, media_type);
  entry.parts.stem = name.substr(0, stem);
  entry.parts.extension = stem < name.size() ? name.substr(stem) : extension_for(media_type);
  if (url.has_query) entry.parts.stem += "@" + shown_query(url.query);
  if (entry.parts.stem.size() + entry.parts.extension.size() > kMaxNameSegment) entry.marked = true;
}

std::string SiteNames::path_with_mark(const Entry& entry, std::string_view href, std::size_t digits) {
  const std::string end = mark_of(href, digits) + entry.parts.extension;
  return entry.parts.directory + "/" + cut(entry.parts.stem, kMaxNameSegment - end.size()) + end;
}

void SiteNames::assign() {
  std::unordered_set<std::string> taken;  // files and directories, in lower case
  std::vector<std::pair<const std::string, Entry>*> order;
  order.reserve(entries_.size());
  for (auto& pair : entries_) {
    order.push_back(&pair);
    // Directories first: they keep their names whatever files there are.
    std::string directory = folded(pair.second.parts.directory);
    while (taken.insert(directory).second && directory.find('/') != std::string::npos)
      directory.resize(directory.rfind('/'));
  }
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    if (a->second.secure != b->second.secure) return a->second.secure;
    return a->first < b->first;
  });
  for (auto* pair : order) {
    Entry& entry = pair->second;
    constexpr std::array<std::size_t, 5> kDigits{0, 8, 16, 32, 64};
    for (std::size_t digits : kDigits) {
      if (digits == 0 && entry.marked) continue;
      entry.path = path_with_mark(entry, pair->first, digits);
      if (taken.insert(folded(entry.path)).second) break;
    }
    entry.parts = {};  // a large site has many
  }
}

std::string_view SiteNames::path_of(std::string_view href) const {
  const auto found = entries_.find(std::string(href));
  return found == entries_.end() ? std::string_view() : std::string_view(found->second.path);
}

}  // namespace blockarch
