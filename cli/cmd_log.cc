// blockarch log: the history of one URL.
#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/json.h"
#include "cli/log_calendar.h"
#include "cli/log_significant.h"
#include "cli/log_views.h"
#include "cli/pager.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/names.h"

namespace blockarch {
namespace {

Json entry_json(const std::string& url, const Metadata& url_metadata, const LogEntry& entry) {
  Json json = {{"url", url},
               {"time", format_rfc3339(entry.time)},
               {"version", entry.version.hash.hex()},
               {"changed", entry.changed},
               {"size", entry.size},
               {"type", entry.media_type},
               {"repeats", entry.repeats},
               {"last_seen", format_rfc3339(entry.last_seen)},
               {"metadata", metadata_json(entry.metadata)}};
  if (!url_metadata.empty()) json["url_metadata"] = metadata_json(url_metadata);
  if (entry.damaged) json["damaged"] = true;
  return json;
}

// How long it stayed so.
Cell note_for(const TextTable& table, const LogEntry& entry) {
  if (entry.damaged) return {"damaged", Style::red};
  if (!entry.changed) return {"unchanged", Style::dim};
  if (entry.repeats == 0) return {};
  return {fmt::format("{}, {} more", table.time(entry.last_seen), group_digits(entry.repeats)), Style::dim};
}

class LogCommand : public Command {
 public:
  LogCommand() : Command("log", "show the history of a URL") {
    synopsis("log URL [-n N] [--since T] [--until T] [--all] [--reverse] [--oneline] [--graph] [--stat]");
    synopsis("log URL [--label LABEL] [--grep TEXT [-i]]");
    synopsis("log URL --significant [--rules FILE] [--by BASIS]");
    synopsis("log URL --calendar [--svg FILE]");
    describe(
        "Lists the captures of URL that showed something else than the one before, newest first. Captures "
        "that showed "
        "the same again are counted with the one they repeat; --all lists each. URL@DATE shows the history "
        "up to that "
        "date.\n\n"
        "--graph draws a lane for each version that the page returned to. --stat tells how many stored blocks changed, "
        "came "
        "and went. --label main lists only versions whose main content changed, --grep only those that have a text as "
        "a "
        "reader sees it. On a terminal the answer is shown by a pager: BLOCKARCH_PAGER, else PAGER, else less.");
    operand("URL", &url_, "whose history").required = true;
    option("-n,--limit", "N", &limit_, "at most N lines");
    option("--since", "T", &since_, "only captures at T or later; of a bare date, from its beginning");
    option("--until", "T", &until_, "only captures at T or earlier; of a bare date, to its end");
    flag("-a,--all", options_.unchanged, "also each unchanged capture");
    flag("-r,--reverse", options_.oldest_first, "oldest first");
    flag("--oneline", oneline_, "time, version, size and type only, without titles");
    flag("--significant", significance_.significant,
         "only versions that differ in more than noise, and what they returned to");
    option("--rules", "FILE", &significance_.rules, "with --significant: what is noise, instead of the built-in rules")
        .kind = ValueKind::file;
    option("--by", "BASIS", &significance_.by,
           "with --significant: content, source, text, words or words=SHARE must differ");
    flag("-g,--graph", view_.graph, "lanes for versions that the page returned to");
    flag("--stat", view_.stat, "how many blocks changed, were added and removed, and their bytes");
    option("--label", "LABEL", &view_.label,
           "only versions where this part of the page changed: main, navigation, ...");
    option("--grep", "TEXT", &view_.grep, "only versions that have this text");
    flag("-i,--ignore-case", view_.ignore_case, "with --grep: capital and small letters are the same");
    flag("--calendar", calendar_, "a calendar of captures and changes instead");
    option("--svg", "FILE", &svg_, "with --calendar: write a picture (SVG) to FILE").kind = ValueKind::file;
    flag("--no-pager", no_pager_, "print at once, also on a terminal");
    example("log https://example.com/ -n 20", "the last twenty versions");
    example("log https://example.com/ --since 2024 --until 2024-06 --reverse", "a half-year, oldest first");
    example("log https://example.com/ --graph --stat", "what came back, how much changed");
    example("log https://example.com/ --label main", "only where the main content changed");
    example("log https://example.com/ --all --json", "every capture, for a program");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const CaptureInfo last, find_last(session, snapshot));
    BA_TRY(set_limits(session, snapshot, last));
    if (significance_.wanted()) {
      if (calendar_ || view_.graph || view_.stat || view_.label || view_.grep) {
        return Error{ErrorCode::invalid,
                     "--significant does not go with --graph, --stat, --label, --grep and --calendar"};
      }
      const Pager pager(session, !no_pager_);
      return print_significant_log(session, snapshot, last, options_, significance_, oneline_);
    }
    BA_ASSIGN(url_metadata_, snapshot.url_metadata(last.number));
    BA_ASSIGN(LogViews views, LogViews::make(snapshot, last, view_));
    if (calendar_) return show_calendar(session, snapshot, last, views);
    const Pager pager(session, !no_pager_);
    return show_entries(session, snapshot, last, views);
  }

 private:
  struct Counts {
    std::uint64_t shown = 0;
    std::uint64_t damaged = 0;
  };

  // The entries that are wanted, up to the limit: what is filtered out does not count.
  Result<Counts> each_entry(const Snapshot& snapshot, const CaptureInfo& last, LogViews& views,
                            const std::function<Result<bool>(const LogEntry&)>& each) {
    Counts counts;
    LogOptions all = options_;
    all.limit = 0;
    Result<void> result;
    BA_TRY(snapshot.log(last.number, all, [&](const LogEntry& entry) {
      const auto wanted = views.wants(entry);
      if (!wanted) result = wanted.error();
      if (!wanted || !*wanted) return wanted.has_value();
      ++counts.shown;
      if (entry.damaged) ++counts.damaged;
      const auto goes_on = each(entry);
      if (!goes_on) result = goes_on.error();
      return goes_on.has_value() && *goes_on && counts.shown != options_.limit;
    }));
    BA_TRY(result);
    return counts;
  }

  static Result<ExitCode> finish(const Counts& counts) {
    if (counts.shown == 0) print_note("no capture in that time");
    if (counts.damaged == 0) return ExitCode::done;
    print_warning(counted(counts.damaged, "entry", "entries") + " cannot be read whole; 'blockarch fsck' says why");
    return ExitCode::damaged;
  }

  Result<ExitCode> show_entries(Session& session, const Snapshot& snapshot, const CaptureInfo& last, LogViews& views) {
    std::vector<Column> columns = {{.title = "TIME"},
                                   {.title = "VERSION"},
                                   {.title = "SIZE", .align = Column::Align::right},
                                   {.title = "TYPE"},
                                   {.title = options_.unchanged ? "" : "SAME UNTIL"}};
    if (view_.graph) columns.insert(columns.begin(), Column{});
    if (view_.graph) columns.push_back({});
    if (view_.stat) columns.push_back({.title = "BLOCKS", .cut = Column::Cut::end});
    TextTable table(session.out, columns);
    BA_ASSIGN(const Counts counts, each_entry(snapshot, last, views, [&](const LogEntry& entry) -> Result<bool> {
                BA_ASSIGN(const LogFacts facts, views.facts(entry));
                print(session, table, last.url, entry, facts);
                return session.out.ok();
              }));
    table.finish();
    return finish(counts);
  }

  Result<ExitCode> show_calendar(Session& session, const Snapshot& snapshot, const CaptureInfo& last, LogViews& views) {
    ChangeCalendar calendar;
    options_.unchanged = true;
    BA_ASSIGN(const Counts counts, each_entry(snapshot, last, views, [&](const LogEntry& entry) -> Result<bool> {
                calendar.add(entry.time, entry.changed);
                return true;
              }));
    if (svg_) {
      BA_TRY(write_output_file(*svg_, calendar_svg(calendar, last.url)));
    } else {
      print_calendar(session, calendar);
    }
    return finish(counts);
  }

  // The capture where the history shown ends.
  Result<CaptureInfo> find_last(const Session& session, const Snapshot& snapshot) const {
    BA_ASSIGN(const Named named, resolve_name(snapshot, url_, session.now));
    if (const auto* capture = std::get_if<CaptureInfo>(&named)) return *capture;
    return Error{ErrorCode::invalid, fmt::format("log takes a URL, and '{}' is an object's id", url_)};
  }

  Result<void> set_limits(const Session& session, const Snapshot& snapshot, const CaptureInfo& last) {
    options_.until = last.time;
    if (until_) {
      BA_ASSIGN(const Time until, resolve_time(snapshot, *until_, DateEnd::last, session.now));
      options_.until = std::min(until, last.time);
    }
    if (since_) {
      BA_ASSIGN(options_.since, resolve_time(snapshot, *since_, DateEnd::first, session.now));
    }
    if (limit_ && *limit_ == 0) return Error{ErrorCode::invalid, "-n takes a number from 1"};
    options_.limit = limit_.value_or(0);
    if (svg_ && !calendar_) return Error{ErrorCode::invalid, "--svg goes with --calendar"};
    if (calendar_ && (view_.graph || view_.stat || oneline_ || limit_))
      return Error{ErrorCode::invalid, "--calendar does not go with -n, --oneline, --graph and --stat"};
    return {};
  }

  void print(Session& session, TextTable& table, const std::string& url, const LogEntry& entry,
             const LogFacts& facts) const {
    Output& out = session.out;
    if (session.options.json) {
      Json json = entry_json(url, url_metadata_, entry);
      put_facts(json, facts);
      return write_json_line(out, json);
    }
    const Style style = entry.changed ? Style::plain : Style::dim;
    const std::string back = facts.returned_to ? "back to " + table.time(*facts.returned_to) : "";
    if (oneline_) {
      return out.line(fmt::format("{}{} {} {} {}{}{}{}", facts.lanes.empty() ? "" : facts.lanes + " ",
                                  format_rfc3339(entry.time),
                                  out.styled(short_id(entry.version.hash), entry.changed ? Style::cyan : Style::dim),
                                  entry.size, printable(entry.media_type), entry.damaged ? " damaged" : "",
                                  back.empty() ? "" : " " + back, facts.stat ? " " + stat_text(*facts.stat) : ""));
    }
    std::vector<Cell> cells = {{format_rfc3339(entry.time), style},
                               {short_id(entry.version.hash), entry.changed ? Style::cyan : Style::dim},
                               {human_size(entry.size), style},
                               {entry.media_type, Style::dim},
                               note_for(table, entry)};
    if (view_.graph) cells.insert(cells.begin(), {facts.lanes, Style::yellow});
    if (view_.graph) cells.push_back({back, Style::yellow});
    if (view_.stat) cells.push_back({facts.stat ? stat_text(*facts.stat) : ""});
    table.row(std::move(cells));
    for (const auto& [key, value] : entry.metadata.entries) table.remark(key + ": " + value);
  }

  std::string url_;
  std::optional<std::uint64_t> limit_;
  std::optional<std::string> since_;
  std::optional<std::string> until_;
  LogOptions options_;
  Metadata url_metadata_;
  SignificanceFlags significance_;
  bool oneline_ = false;
  LogViewOptions view_;
  bool calendar_ = false;
  std::optional<std::string> svg_;
  bool no_pager_ = false;
};

}  // namespace

std::unique_ptr<Command> make_log_command() {
  return std::make_unique<LogCommand>();
}

}  // namespace blockarch
