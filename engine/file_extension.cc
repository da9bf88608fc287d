#include "engine/file_extension.h"

#include <algorithm>
#include <array>
#include <string>

namespace blockarch {
namespace {

struct TypeExtensions {
  std::string_view type;
  std::string_view extensions;  // with blanks around each; the first is the usual one
  bool strict;                  // other endings would make a browser read the file as something else
};

constexpr std::array<TypeExtensions, 38> kTypes{{
    {"text/html", " html htm shtml ", true},
    {"application/xhtml+xml", " xhtml xht ", true},
    {"text/css", " css ", true},
    {"text/javascript", " js mjs ", true},
    {"application/javascript", " js mjs ", true},
    {"application/x-javascript", " js mjs ", true},
    {"application/ecmascript", " js mjs ", true},
    {"image/png", " png apng ", true},
    {"image/jpeg", " jpg jpeg jpe jfif ", true},
    {"image/gif", " gif ", true},
    {"image/webp", " webp ", true},
    {"image/avif", " avif ", true},
    {"image/bmp", " bmp ", true},
    {"image/svg+xml", " svg ", true},
    {"image/x-icon", " ico ", true},
    {"image/vnd.microsoft.icon", " ico ", true},
    {"application/pdf", " pdf ", true},
    {"application/json", " json ", false},
    {"application/ld+json", " json ", false},
    {"application/manifest+json", " json ", false},
    {"application/xml", " xml ", false},
    {"text/xml", " xml ", false},
    {"application/rss+xml", " xml ", false},
    {"application/atom+xml", " xml ", false},
    {"application/rdf+xml", " xml ", false},
    {"text/plain", " txt ", false},
    {"text/csv", " csv ", false},
    {"text/markdown", " md ", false},
    {"font/woff", " woff ", false},
    {"font/woff2", " woff2 ", false},
    {"font/ttf", " ttf ", false},
    {"font/otf", " otf ", false},
    {"audio/mpeg", " mp3 ", false},
    {"video/mp4", " mp4 ", false},
    {"video/webm", " webm ", false},
    {"application/wasm", " wasm ", false},
    {"application/zip", " zip ", false},
    {"application/gzip", " gz ", false},
}};

constexpr TypeExtensions kUnknown{"", " bin ", false};

// Endings that browsers take for HTML, and those of programs that make pages, which say nothing about what
// they made.
constexpr std::string_view kPages =
    " html htm shtml xhtml xht mhtml mht svg php php3 php4 php5 phtml asp aspx ashx axd jsp jspx cgi pl do "
    "action cfm ";

const TypeExtensions& find_type(std::string_view media_type) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeExtensions& entry) { return entry.type == media_type; });
  return found == kTypes.end() ? kUnknown : *found;
}

bool lists(std::string_view extensions, std::string_view extension) {
  std::string word = " ";
  for (char c : extension) word.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  return extensions.find(word + " ") != std::string_view::npos;
}

// Without its dot. "v1.2" has none: an ending holds a letter.
std::string_view written_extension(std::string_view name) {
  constexpr std::size_t kLongest = 8;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view extension = name.substr(dot + 1);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  const bool good = extension.size() <= kLongest && std::all_of(extension.begin(), extension.end(), is_part) &&
                    std::any_of(extension.begin(), extension.end(), is_letter);
  return good ? extension : std::string_view();
}

}  // namespace

std::string extension_for(std::string_view media_type) {
  const std::string_view list = find_type(media_type).extensions;
  return "." + std::string(list.substr(1, list.find(' ', 1) - 1));
}

std::string_view type_for_name(std::string_view name) {
  const std::string_view extension = written_extension(name);
  if (extension.empty()) return {};
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const TypeExtensions& entry) { return lists(entry.extensions, extension); });
  return found == kTypes.end() ? std::string_view() : found->type;
}

std::size_t kept_extension(std::string_view name, std::string_view media_type) {
  const std::string_view extension = written_extension(name);
  if (extension.empty()) return 0;
  const TypeExtensions& type = find_type(media_type);
  const bool fits = lists(type.extensions, extension) || (!type.strict && !lists(kPages, extension));
  return fits ? extension.size() + 1 : 0;
}

}  // namespace blockarch
