#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/charset.h"
#include "warc/record_head.h"
#include "warc/text.h"

namespace blockarch {
namespace {

constexpr std::array<std::string_view, 5> kColumns1{"URL", "IP-address", "Archive-date", "Content-type",
                                                    "Archive-length"};
constexpr std::array<std::string_view, 10> kColumns2{"URL",         "IP-address",    "Archive-date", "Content-type",
                                                     "Result-code", "Checksum",      "Location",     "Offset",
                                                     "Filename",    "Archive-length"};

// The last `count` − 1 words and, as the first, everything before them. Fewer where the line has fewer.
std::vector<std::string_view> columns_of(std::string_view line, std::size_t count) {
  std::vector<std::string_view> columns;
  line = trimmed(line);
  while (columns.size() + 1 < count) {
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos) break;
    columns.push_back(line.substr(blank + 1));
    line = trimmed(line.substr(0, blank));
  }
  columns.push_back(line);
  return {columns.rbegin(), columns.rend()};
}

bool has_scheme(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon > 32) return false;
  for (const char c : url.substr(0, colon)) {
    const bool letter = lower(c) >= 'a' && lower(c) <= 'z';
    if (!letter && !is_digit(c) && c != '+' && c != '-' && c != '.') return false;
  }
  return true;
}

// A date where the date should be, and a number at the end.
bool fits_columns(std::string_view line, std::size_t count) {
  const auto columns = columns_of(line, count);
  return columns.size() == count && all_digits(columns[2]) && columns[2].size() >= 8 && all_digits(columns.back());
}

// 14 digits; some writers stopped at the minute or the day, and some added more.
std::optional<Time> parse_arc_date(std::string_view text) {
  if (!all_digits(text) || text.size() < 8 || text.size() > 17) return std::nullopt;
  const auto time = parse_time(text.substr(0, 14), DateEnd::first, Time{});
  if (!time) return std::nullopt;
  return *time;
}

}  // namespace

bool looks_like_arc_line(std::string_view line) {
  if (line.starts_with("filedesc:")) return true;
  return has_scheme(line) && (fits_columns(line, kColumns1.size()) || fits_columns(line, kColumns2.size()));
}

RecordHead parse_arc_line(std::string_view line, const ArcFormat& format) {
  RecordHead head;
  ArchiveRecord& record = head.record;
  record.version = format.version;
  // The first record comes before its own description, so it is tried.
  const bool describes = line.starts_with("filedesc:");
  const bool tried_wide = describes && fits_columns(line, kColumns2.size());
  const auto columns = columns_of(line, tried_wide ? kColumns2.size() : format.columns);
  const bool wide = columns.size() == kColumns2.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t name = columns.size() < 5 && i + 1 == columns.size() ? 4 : i;
    record.headers.emplace_back(wide ? kColumns2[i] : kColumns1[name], columns[i]);
  }
  head.length = parse_count(columns.back());
  if (columns.size() < 5) {
    head.defects.push_back({ProblemKind::bad_header, quoted(line) + " has too few columns"});
    return head;
  }
  record.target_uri = columns[0];
  record.ip_address = columns[1];
  record.date = parse_arc_date(columns[2]);
  if (!record.date) head.defects.push_back({ProblemKind::bad_date, quoted(columns[2]) + " is no date"});
  record.content_type = columns[3];
  record.type = describes ? RecordType::warcinfo : RecordType::resource;  // a response once the block is seen
  return head;
}

ArcFormat parse_arc_format(ByteView block) {
  ArcFormat format;
  // "1 1 InternetArchive"
  const std::string_view line = take_line(block);
  const std::size_t blank = line.find(' ');
  if (blank != std::string_view::npos) {
    const std::string_view major = line.substr(0, blank);
    const std::string_view minor = line.substr(blank + 1, line.find(' ', blank + 1) - blank - 1);
    if (all_digits(major) && all_digits(minor) && major.size() + minor.size() < 8) {
      format.version = fmt::format("ARC/{}.{}", major, minor);
    }
  }
  const auto names = columns_of(take_line(block), kColumns2.size());
  if (names.size() == kColumns2.size() && same_letters(names[4], "Result-code")) format.columns = kColumns2.size();
  return format;
}

}  // namespace blockarch
