#include "segment/media_type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace blockarch {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kLookAt = 1024;

constexpr std::array kSignatures = {
    std::pair{"%PDF-"sv, "application/pdf"sv},
    std::pair{"\x89PNG\r\n\x1a\n"sv, "image/png"sv},
    std::pair{"\xff\xd8\xff"sv, "image/jpeg"sv},
    std::pair{"GIF8"sv, "image/gif"sv},
    std::pair{"PK\x03\x04"sv, "application/zip"sv},
    std::pair{"\x1f\x8b"sv, "application/gzip"sv},
    std::pair{"wOFF"sv, "font/woff"sv},
    std::pair{"wOF2"sv, "font/woff2"sv},
    std::pair{"\x00\x00\x01\x00"sv, "image/x-icon"sv},
};

// Elements that a fragment of HTML may begin with. Not those whose names documents of other kinds use as well (data,
// link, map, object, source, summary…).
constexpr std::string_view kHtmlElements =
    " a abbr address article aside b big blockquote body br button center dd details dialog div dl dt em fieldset "
    "figure "
    "font footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input li main meta nav "
    "noscript "
    "ol p pre script section small span strong style table tbody td th thead title tr ul video ";
constexpr std::size_t kLongestElement = 10;

std::string lower_start(ByteView payload) {
  if (payload.starts_with("\xef\xbb\xbf")) payload.remove_prefix(3);
  while (!payload.empty() && " \t\r\n\f"sv.find(payload[0]) != ByteView::npos) payload.remove_prefix(1);
  std::string start(payload.substr(0, kLookAt));
  for (char& c : start) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return start;
}

bool looks_like_html(std::string_view start) {
  // A comment or doctype of another kind may come first.
  if (start.starts_with("<!"))
    return start.find("<html") != std::string_view::npos || start.starts_with("<!--") || start.starts_with("<!doctype");
  if (!start.starts_with("<")) return false;
  const std::size_t end = start.find_first_of(" \t\r\n\f/>");
  if (end == std::string_view::npos || end < 2 || end > 1 + kLongestElement) return false;
  return kHtmlElements.find(' ' + std::string(start.substr(1, end - 1)) + ' ') != std::string_view::npos;
}

bool looks_like_text(ByteView payload) {
  const ByteView start = payload.substr(0, kLookAt);
  return std::none_of(start.begin(), start.end(), [](char c) {
    const auto b = static_cast<unsigned char>(c);
    return b < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b';
  });
}

}  // namespace

std::string sniff_media_type(ByteView payload) {
  for (const auto& [magic, type] : kSignatures) {
    if (payload.starts_with(magic)) return std::string(type);
  }
  if (payload.size() >= 12 && payload.starts_with("RIFF") && payload.substr(8, 4) == "WEBP") return "image/webp";
  if (payload.starts_with("\xff\xfe") || payload.starts_with("\xfe\xff")) return "text/html";
  const std::string start = lower_start(payload);
  if (start.starts_with("<?xml")) {
    return start.find("<html") != std::string::npos ? "application/xhtml+xml" : "application/xml";
  }
  if (start.starts_with("<rss") || start.starts_with("<feed") || start.starts_with("<urlset")) return "application/xml";
  if (looks_like_html(start)) return "text/html";
  if (!looks_like_text(payload)) return "application/octet-stream";
  if (start.starts_with("{") || start.starts_with("[")) return "application/json";
  return start.find("<html") != std::string::npos ? "text/html" : "text/plain";
}

bool is_html_media_type(std::string_view essence) {
  return essence == "text/html" || essence == "application/xhtml+xml";
}

bool is_xml_media_type(std::string_view essence) {
  return essence == "text/xml" || essence == "application/xml" || essence.ends_with("+xml");
}

bool is_text_media_type(std::string_view essence) {
  return essence.starts_with("text/") || is_xml_media_type(essence) || essence == "application/json" ||
         essence.ends_with("+json") || essence == "application/javascript" || essence == "application/x-javascript" ||
         essence == "application/ecmascript";
}

}  // namespace blockarch
