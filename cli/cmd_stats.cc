// blockarch stats: what is in the archive and what it costs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/snapshot.h"

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
  return {{"directory", directory},
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
  TextTable table(out, {{.title = "KIND"},
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
    describe(
        "Counts URLs, captures and versions; compares the bytes of all captures and of all versions with "
        "what is on "
        "disk; and lists the objects by kind and the tables of hot.mdb. Walks the whole archive.");
    example("stats --json", "for a program");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    Progress progress(session.options.no_color);
    BA_ASSIGN(const ArchiveStats stats, snapshot.stats([&progress](std::uint64_t done, std::uint64_t total) {
      progress.update("counting", done, total);
    }));
    progress.finish();
    if (session.options.json) {
      write_json_document(session.out, stats_json(archive.directory(), stats));
      return ExitCode::done;
    }
    print_summary(session.out, stats);
    session.out.line();
    print_kinds(session.out, stats);
    session.out.line();
    print_tables(session.out, stats);
    return ExitCode::done;
  }
};

}  // namespace

std::unique_ptr<Command> make_stats_command() {
  return std::make_unique<StatsCommand>();
}

}  // namespace blockarch
