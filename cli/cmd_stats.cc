// blockarch stats: what is in the archive and what it costs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/snapshot.h"
#include "engine/usage.h"

namespace blockarch {
namespace {

Json stats_json(const std::string& directory, const ArchiveStats& stats) {
  Json kinds = Json::object();
  for (const auto& [kind, use] : stats.kinds) {
    kinds[std::string(kind_name(kind))] = {
        {"objects", use.objects}, {"bytes", use.bytes}, {"stored_bytes", use.stored_bytes}};
  }
  Json tables = Json::object();
  for (const auto& table : stats.tables) tables[table.name] = {{"entries", table.entries}, {"bytes", table.bytes}};
  Json packed = Json::object();
  for (const auto& use : stats.packed) {
    packed[use.name] = {{"entries", use.entries}, {"bytes", use.bytes}, {"stored_bytes", use.stored_bytes}};
  }
  return {{"directory", directory},
          {"packs", stats.packs},
          {"packed", std::move(packed)},
          {"urls", stats.urls},
          {"captures", stats.captures},
          {"versions", stats.versions},
          {"logical_bytes", stats.logical_bytes},
          {"distinct_bytes", stats.distinct_bytes},
          {"disk_bytes", stats.disk_bytes},
          {"free_bytes", stats.free_bytes},
          {"kinds", std::move(kinds)},
          {"tables", std::move(tables)}};
}

std::string times_smaller(std::uint64_t large, std::uint64_t small) {
  if (large == 0 || small == 0) return {};
  const double ratio = static_cast<double>(large) / static_cast<double>(small);
  if (ratio < 1) return fmt::format("{:.1f} times all captures", 1 / ratio);
  return fmt::format("1/{:.{}f} of all captures", ratio, ratio < 10 ? 1 : 0);
}

void print_summary(Output& out, const ArchiveStats& stats) {
  TextTable table(out, {{}, {.align = Column::Align::right}, {}});
  table.row({{"URLs", Style::dim}, {group_digits(stats.urls)}});
  table.row({{"captures", Style::dim}, {group_digits(stats.captures)}, {human_size(stats.logical_bytes), Style::dim}});
  table.row({{"versions", Style::dim}, {group_digits(stats.versions)}, {human_size(stats.distinct_bytes), Style::dim}});
  table.row({{"on disk", Style::dim},
             {human_size(stats.disk_bytes), Style::bold},
             {times_smaller(stats.logical_bytes, stats.disk_bytes), Style::green}});
  if (stats.free_bytes > 0) {
    table.row(
        {{"free inside", Style::dim}, {human_size(stats.free_bytes)}, {"reused by the next captures", Style::dim}});
  }
  table.finish();
}

void print_kinds(Output& out, const ArchiveStats& stats) {
  TextTable table(out, {{.title = stats.packs > 0 ? "LOOSE" : "KIND"},
                        {.title = "OBJECTS", .align = Column::Align::right},
                        {.title = "CONTENT", .align = Column::Align::right},
                        {.title = "STORED", .align = Column::Align::right}});
  for (const auto& [kind, use] : stats.kinds) {
    table.row({{std::string(kind_name(kind))},
               {group_digits(use.objects)},
               {human_size(use.bytes)},
               {human_size(use.stored_bytes)}});
  }
  table.finish();
}

void print_packed(Output& out, const ArchiveStats& stats) {
  TextTable table(out,
                  {{.title = stats.packs == 1 ? "IN 1 PACK" : fmt::format("IN {} PACKS", group_digits(stats.packs))},
                   {.title = "ENTRIES", .align = Column::Align::right},
                   {.title = "CONTENT", .align = Column::Align::right},
                   {.title = "STORED", .align = Column::Align::right}});
  for (const auto& use : stats.packed) {
    table.row({{use.name}, {group_digits(use.entries)}, {human_size(use.bytes)}, {human_size(use.stored_bytes)}});
  }
  table.finish();
}

void print_usage(Session& session, const std::vector<UrlUsage>& list, const char* title) {
  TextTable table(session.out, {{.title = title, .cut = Column::Cut::middle},
                                {.title = "CAPTURES", .align = Column::Align::right},
                                {.title = "VERSIONS", .align = Column::Align::right},
                                {.title = "LOGICAL", .align = Column::Align::right},
                                {.title = "UNIQUE", .align = Column::Align::right},
                                {.title = "SHARED", .align = Column::Align::right},
                                {.title = "STORED", .align = Column::Align::right}});
  for (const UrlUsage& usage : list) {
    if (session.options.json) {
      write_json_line(session.out, Json{{title[0] == 'H' ? "host" : "url", usage.url},
                                        {"captures", usage.captures},
                                        {"versions", usage.versions},
                                        {"logical_bytes", usage.logical_bytes},
                                        {"unique_bytes", usage.unique_bytes},
                                        {"shared_bytes", usage.shared_bytes},
                                        {"stored_bytes", usage.stored_bytes}});
    } else {
      table.row({{printable(usage.url)},
                 {group_digits(usage.captures)},
                 {group_digits(usage.versions)},
                 {human_size(usage.logical_bytes)},
                 {human_size(usage.unique_bytes)},
                 {human_size(usage.shared_bytes)},
                 {human_size(usage.stored_bytes)}});
    }
  }
  if (!session.options.json) table.finish();
}

void print_tables(Output& out, const ArchiveStats& stats) {
  TextTable table(out, {{.title = "TABLE"},
                        {.title = "ENTRIES", .align = Column::Align::right},
                        {.title = "PAGES", .align = Column::Align::right}});
  for (const auto& use : stats.tables) table.row({{use.name}, {group_digits(use.entries)}, {human_size(use.bytes)}});
  table.finish();
}

class StatsCommand : public Command {
 public:
  StatsCommand() : Command("stats", "tell what is in the archive and what it costs") {
    synopsis("stats");
    synopsis("stats --by url|host [PATTERN]");
    describe(
        "Counts URLs, captures and versions; compares the bytes of all captures and of all versions with "
        "what is on "
        "disk; and lists what stands in packs, the loose objects by kind, and the tables. Walks the whole archive.\n\n"
        "--by url lists for each URL, --by host for each host, the bytes of all its captures, of the distinct blocks "
        "that "
        "only it uses and that others use too, and what it costs on disk; an object counts for the first that uses "
        "it.");
    operand("PATTERN", &pattern_, "with --by: which URLs, as for urls");
    Argument& by = option("--by", "WHAT", &by_, "list what each url or host uses");
    by.kind = ValueKind::choice;
    by.choices = {"url", "host"};
    example("stats --by host", "what each site costs");
    example("stats --json", "for a program");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    Progress progress(session.options.no_color);
    if (by_.empty() && !pattern_.empty()) return Error{ErrorCode::invalid, "PATTERN goes with --by url or --by host"};
    if (!by_.empty()) {
      UrlFilter filter;
      filter.pattern = pattern_.empty() || pattern_.find('*') != std::string::npos ? pattern_ : "*" + pattern_ + "*";
      BA_ASSIGN(const auto usage, usage_of(snapshot, by_ == "host" ? UsageBy::host : UsageBy::url, filter,
                                           [&progress](std::uint64_t done, std::uint64_t total) {
                                             progress.update("counting", done, total);
                                           }));
      progress.finish();
      print_usage(session, usage, by_ == "host" ? "HOST" : "URL");
      return ExitCode::done;
    }
    BA_ASSIGN(const ArchiveStats stats, snapshot.stats([&progress](std::uint64_t done, std::uint64_t total) {
      progress.update("counting", done, total);
    }));
    progress.finish();
    if (session.options.json) {
      write_json_document(session.out, stats_json(archive.directory(), stats));
      return ExitCode::done;
    }
    print_summary(session.out, stats);
    if (stats.packs > 0) {
      session.out.line();
      print_packed(session.out, stats);
    }
    session.out.line();
    if (stats.packs == 0 || !stats.kinds.empty()) print_kinds(session.out, stats);
    session.out.line();
    print_tables(session.out, stats);
    return ExitCode::done;
  }

 private:
  std::string by_;
  std::string pattern_;
};

}  // namespace

std::unique_ptr<Command> make_stats_command() {
  return std::make_unique<StatsCommand>();
}

}  // namespace blockarch
