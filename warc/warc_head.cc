#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "warc/record_head.h"
#include "warc/text.h"

namespace blockarch {
namespace {

// The four that everybody wrote; 0.17 is the draft before 0.18 and differs in nothing that we read.
constexpr std::array<std::string_view, 4> kVersions{"WARC/1.0", "WARC/1.1", "WARC/0.18", "WARC/0.17"};

struct TextField {
  std::string_view name;
  std::string ArchiveRecord::*member;
  bool in_brackets;
};
constexpr std::array<TextField, 14> kTextFields{{
    {"WARC-Target-URI", &ArchiveRecord::target_uri, true},
    {"WARC-Record-ID", &ArchiveRecord::record_id, true},
    {"Content-Type", &ArchiveRecord::content_type, false},
    {"WARC-Block-Digest", &ArchiveRecord::block_digest, false},
    {"WARC-Payload-Digest", &ArchiveRecord::payload_digest, false},
    {"WARC-IP-Address", &ArchiveRecord::ip_address, false},
    {"WARC-Concurrent-To", &ArchiveRecord::concurrent_to, true},
    {"WARC-Refers-To", &ArchiveRecord::refers_to, true},
    {"WARC-Refers-To-Target-URI", &ArchiveRecord::refers_to_uri, true},
    {"WARC-Refers-To-Date", &ArchiveRecord::refers_to_date, false},
    {"WARC-Profile", &ArchiveRecord::profile, false},
    {"WARC-Truncated", &ArchiveRecord::truncated, false},
    {"WARC-Segment-Origin-ID", &ArchiveRecord::segment_origin_id, true},
    {"WARC-Warcinfo-ID", nullptr, true},
}};

std::string_view without_brackets(std::string_view value) {
  if (value.size() >= 2 && value.front() == '<' && value.back() == '>') return value.substr(1, value.size() - 2);
  return value;
}

// Collects the fields that have a meaning for us while the lines come.
class HeadParser {
 public:
  explicit HeadParser(RecordHead& head) : head_(head), record_(head.record) {}

  void add(std::string_view name, std::string_view value) { record_.headers.emplace_back(name, value); }

  void finish() {
    for (const auto& [name, value] : record_.headers) interpret(name, value);
    if (!has_type_) defect(ProblemKind::bad_header, "the record has no WARC-Type");
    if (!has_date_) defect(ProblemKind::bad_date, "the record has no WARC-Date");
    if (record_.record_id.empty()) defect(ProblemKind::bad_header, "the record has no WARC-Record-ID");
  }

  void defect(ProblemKind kind, std::string message) { head_.defects.push_back({kind, std::move(message)}); }

 private:
  void interpret(const std::string& name, const std::string& value) {
    for (const TextField& field : kTextFields) {
      if (!same_letters(name, field.name)) continue;
      if (field.member == nullptr) return;
      std::string& target = record_.*field.member;
      if (target.empty()) {
        target = field.in_brackets ? without_brackets(value) : std::string_view(value);
      } else if (field.member != &ArchiveRecord::concurrent_to) {
        twice(name);
      }
      return;
    }
    if (same_letters(name, "WARC-Type")) return type(name, value);
    if (same_letters(name, "WARC-Date")) return date(name, value);
    if (same_letters(name, "Content-Length")) return number(name, value, head_.length);
    if (same_letters(name, "WARC-Segment-Number")) return number(name, value, record_.segment_number);
    if (same_letters(name, "WARC-Segment-Total-Length")) return number(name, value, record_.segment_total_length);
  }

  void twice(const std::string& name) {
    defect(ProblemKind::bad_header, fmt::format("the head has {} twice; the first one counts", name));
  }

  void type(const std::string& name, const std::string& value) {
    if (has_type_) return twice(name);
    if (value.empty()) return;
    has_type_ = true;
    record_.type = record_type(value);
  }

  void date(const std::string& name, const std::string& value) {
    if (has_date_) return twice(name);
    has_date_ = true;
    record_.date = parse_warc_date(value);
    if (!record_.date) defect(ProblemKind::bad_date, fmt::format("{} is no date", quoted(value)));
  }

  void number(const std::string& name, const std::string& value, std::optional<std::uint64_t>& out) {
    if (out) return twice(name);
    out = parse_count(value);
    if (!out) defect(ProblemKind::bad_header, fmt::format("{} is {}, not a number", name, quoted(value)));
  }

  RecordHead& head_;
  ArchiveRecord& record_;
  bool has_type_ = false, has_date_ = false;
};

}  // namespace

bool is_warc_version_line(ByteView bytes) {
  if (!begins_with_warc(bytes)) return false;
  bytes.remove_prefix(5);
  const ByteView line = bytes.substr(0, std::min(bytes.find('\n'), std::size_t{32}));
  if (line.size() == bytes.size() || line.size() == 32) return false;
  const ByteView version = trimmed(line);
  const std::size_t dot = version.find('.');
  return dot != ByteView::npos && all_digits(version.substr(0, dot)) && all_digits(version.substr(dot + 1));
}

std::optional<Time> parse_warc_date(std::string_view text) {
  // parse_time() knows more than a date in a file may be: "yesterday", "@0".
  if (text.size() < 4 || !is_digit(text.front())) return std::nullopt;
  if (text.find_first_not_of("0123456789-:.,TtZz+ ") != std::string_view::npos) return std::nullopt;
  const auto time = parse_time(text, DateEnd::first, Time{});
  if (!time) return std::nullopt;
  return *time;
}

RecordHead parse_warc_head(ByteView head) {
  RecordHead result;
  HeadParser parser(result);
  std::string& version = result.record.version;
  version = trimmed(take_line(head));
  if (begins_with_warc(version)) version.replace(0, 5, "WARC/");
  if (std::find(kVersions.begin(), kVersions.end(), version) == kVersions.end()) {
    parser.defect(ProblemKind::unsupported, quoted(version) + " is no version of WARC that we read");
  }
  auto& fields = result.record.headers;
  fields.reserve(12);
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (!fields.empty()) append_folded(fields.back().second, line);
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      parser.defect(ProblemKind::bad_header, quoted(line) + " is no header line");
      continue;
    }
    parser.add(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
  }
  parser.finish();
  return result;
}

}  // namespace blockarch
