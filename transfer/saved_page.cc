#include "transfer/saved_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace blockarch {
namespace {

constexpr std::string_view kSavedFrom = "saved from url=(";
constexpr std::string_view kSingleFile = "Page saved with SingleFile";

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_web_url(std::string_view text) {
  return (text.starts_with("http://") || text.starts_with("https://")) &&
         std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) <= 0x20; });
}

// "url=(0024)https://example.org/": the number is the URL's length, which people who edit pages get wrong.
std::optional<SavedPageNote> read_saved_from(std::string_view comment) {
  comment.remove_prefix(kSavedFrom.size());
  const std::size_t close = comment.find(')');
  if (close == std::string_view::npos || close > 6) return std::nullopt;
  const std::string_view url = trimmed(comment.substr(close + 1));
  if (!is_web_url(url)) return std::nullopt;
  return SavedPageNote{std::string(url), std::nullopt};
}

// The line that begins with `name`, without it.
std::string_view line_of(std::string_view comment, std::string_view name) {
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    const std::string_view line = trimmed(comment.substr(0, end));
    if (line.starts_with(name)) return trimmed(line.substr(name.size()));
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return {};
}

// As JavaScript writes it: "Mon Jan 01 2024 12:00:00 GMT+0100 (Central European Standard Time)".
std::optional<Time> parse_script_date(std::string_view text) {
  constexpr std::string_view kShape = "Mon Jan 01 2024 12:00:00 GMT+0100";
  if (text.size() < kShape.size() || text.substr(25, 3) != "GMT" || (text[28] != '+' && text[28] != '-')) return {};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(4, 3));
  if (month == kMonths.end()) return {};
  const std::string iso = fmt::format("{}-{:02}-{}T{}{}:{}", text.substr(11, 4), month - kMonths.begin() + 1,
                                      text.substr(8, 2), text.substr(16, 8), text.substr(28, 3), text.substr(31, 2));
  const auto time = parse_time(iso, DateEnd::first, Time{});
  return time ? std::optional<Time>(*time) : std::nullopt;
}

std::optional<SavedPageNote> read_single_file(std::string_view comment) {
  const std::string_view url = line_of(comment, "url:");
  if (!is_web_url(url)) return std::nullopt;
  return SavedPageNote{std::string(url), parse_script_date(line_of(comment, "saved date:"))};
}

}  // namespace

std::optional<SavedPageNote> find_saved_page_note(ByteView page) {
  std::string_view rest = page.substr(0, kNoteWindow);
  for (std::size_t begin = rest.find("<!--"); begin != std::string_view::npos; begin = rest.find("<!--")) {
    rest.remove_prefix(begin + 4);
    const std::size_t end = rest.find("-->");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view comment = trimmed(rest.substr(0, end));
    rest.remove_prefix(end + 3);
    std::optional<SavedPageNote> note;
    if (comment.starts_with(kSavedFrom)) note = read_saved_from(comment);
    if (comment.starts_with(kSingleFile)) note = read_single_file(comment);
    if (note) return note;
  }
  return std::nullopt;
}

}  // namespace blockarch
