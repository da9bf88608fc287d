#include "cli/import_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/time.h"
#include "cli/json.h"
#include "cli/text.h"
#include "cli/text_table.h"

namespace blockarch {
namespace {

std::string per_second(std::uint64_t number, double seconds) {
  return group_digits(static_cast<std::uint64_t>(seconds > 0 ? static_cast<double>(number) / seconds : 0));
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string ratio(std::uint64_t whole, std::uint64_t part) {
  if (part == 0) return "-";
  return fmt::format("{:.1f}", static_cast<double>(whole) / static_cast<double>(part));
}

std::string list_counts(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", group_digits(count), name);
  }
  return text.empty() ? "none" : text;
}

void print_counts(TextTable& table, const ImportSummary& s) {
  const auto number = [&](const char* name, std::uint64_t value, Style style = Style::plain) {
    if (value != 0) table.row({{name}, {group_digits(value), style}});
  };
  table.row({{"records read"}, {list_counts(s.records)}});
  if (!s.not_kept.empty()) {
    table.row({{"only counted"}, {list_counts(s.not_kept) + " (--exact keeps them)"}});
  }
  table.row({{"captures"}, {group_digits(s.captures), Style::bold}});
  number("  first of a URL", s.first, Style::green);
  number("  changed", s.changed, Style::yellow);
  number("  unchanged", s.unchanged);
  number("  there already", s.duplicates, Style::dim);
  number("  of them revisits", s.repeats);
  number("new pages", s.new_pages);
}

void print_sizes(TextTable& table, const ImportSummary& s) {
  const double seconds = s.seconds.total;
  table.row({{"logical size"}, {human_size(s.logical_bytes)}});
  table.row({{"new pages' size"}, {human_size(s.new_bytes)}});
  table.row({{"stored"}, {human_size(s.stored_bytes)}});
  table.row({{"logical / stored"}, {ratio(s.logical_bytes, s.stored_bytes)}});
  table.row({{"time"},
             {fmt::format("{:.1f} s, {} captures/s, {}/s", seconds, per_second(s.captures, seconds),
                          human_size(static_cast<std::uint64_t>(
                              seconds > 0 ? static_cast<double>(s.logical_bytes) / seconds : 0)))}});
  table.row(
      {{"by stage"},
       {fmt::format(
            "reading {:.1f}, decoding {:.1f}, preparing {:.1f}, adding {:.1f}, committing {:.1f}, packing {:.1f} s",
            s.seconds.reading, s.seconds.decoding, s.seconds.preparing, s.seconds.adding, s.seconds.committing,
            s.seconds.packing),
        Style::dim}});
}

}  // namespace

void ImportLine::update(const ImportProgress& now) {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  std::string text = fmt::format("{}/s, {} new, {} changed, {} unchanged", per_second(now.captures, seconds),
                                 group_digits(now.first), group_digits(now.changed), group_digits(now.unchanged));
  if (now.problems != 0) text += ", " + counted(now.problems, "problem", "problems");
  if (now.source.total != 0 && now.source.done != 0 && now.source.done <= now.source.total) {
    const double share = static_cast<double>(now.source.done) / static_cast<double>(now.source.total);
    text += fmt::format(", {} left", clock_time(seconds / share - seconds));
  }
  if (std::string_view(now.source.unit) == "bytes") {
    progress_.update_bytes("importing", now.source.done, now.source.total, text);
  } else {
    progress_.update(fmt::format("{}, {}", now.source.unit, text), now.source.done, now.source.total);
  }
}

void print_import_summary(Output& out, const ImportSummary& s) {
  TextTable table(out, {{}, {}});
  print_counts(table, s);
  print_sizes(table, s);
  if (s.problems != 0) {
    table.row({{"problems"},
               {fmt::format("{}, {} lost", group_digits(s.problems), counted(s.lost_records, "record", "records")),
                s.lost_records != 0 ? Style::red : Style::yellow}});
  }
  if (s.unresolved != 0) {
    table.row({{"revisits without original"}, {group_digits(s.unresolved), Style::red}});
  }
  table.finish();
  for (const UnresolvedRepeat& repeat : s.unresolved_list) {
    out.line(fmt::format("  {}  {}  {} at {}", format_rfc3339(repeat.time), printable(repeat.url),
                         printable(repeat.file), repeat.offset));
  }
  constexpr double kSlow = 0.02;  // seconds; below that nobody waits for a page
  if (s.slowest.empty() || s.slowest.front().seconds < kSlow) return;
  out.line(out.styled("slowest pages", Style::dim));
  TextTable slow(out, {{{}, Column::Align::right}, {{}, Column::Align::right}, {}, {{}, {}, Column::Cut::middle}});
  for (const SlowPage& page : s.slowest) {
    if (page.seconds < kSlow) break;
    slow.row(
        {{fmt::format("{:.0f} ms", page.seconds * 1000)}, {human_size(page.size)}, {slow.time(page.time)}, {page.url}});
  }
  slow.finish();
}

nlohmann::json import_summary_json(const ImportSummary& s) {
  nlohmann::json unresolved = nlohmann::json::array();
  for (const UnresolvedRepeat& r : s.unresolved_list) {
    unresolved.push_back({{"url", r.url}, {"time", format_rfc3339(r.time)}, {"file", r.file}, {"offset", r.offset}});
  }
  nlohmann::json slowest = nlohmann::json::array();
  for (const SlowPage& p : s.slowest) {
    slowest.push_back({{"url", p.url}, {"time", format_rfc3339(p.time)}, {"size", p.size}, {"seconds", p.seconds}});
  }
  return {{"records", s.records},
          {"not_kept", s.not_kept},
          {"captures", s.captures},
          {"first", s.first},
          {"changed", s.changed},
          {"unchanged", s.unchanged},
          {"duplicates", s.duplicates},
          {"revisits", s.repeats},
          {"new_pages", s.new_pages},
          {"new_objects", s.new_objects},
          {"logical_bytes", s.logical_bytes},
          {"new_bytes", s.new_bytes},
          {"stored_bytes", s.stored_bytes},
          {"problems", s.problems},
          {"lost_records", s.lost_records},
          {"unresolved", s.unresolved},
          {"unresolved_revisits", unresolved},
          {"slowest", slowest},
          {"stopped", s.stopped},
          {"failure", s.failure},
          {"seconds",
           {{"total", s.seconds.total},
            {"reading", s.seconds.reading},
            {"decoding", s.seconds.decoding},
            {"preparing", s.seconds.preparing},
            {"adding", s.seconds.adding},
            {"committing", s.seconds.committing},
            {"packing", s.seconds.packing},
            {"waiting", s.seconds.waiting}}}};
}

}  // namespace blockarch
