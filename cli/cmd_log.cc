// blockarch log: the history of one URL.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/log_significant.h"
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
    synopsis("log URL [-n N] [--since T] [--until T] [--all] [--reverse] [--oneline]");
    describe(
        "Lists the captures of URL that showed something else than the one before, newest first. Captures "
        "that showed "
        "the same again are counted with the one they repeat; --all lists each. URL@DATE shows the history "
        "up to that "
        "date.");
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
    example("log https://example.com/ -n 20", "the last twenty versions");
    example("log https://example.com/ --since 2024 --until 2024-06 --reverse", "a half-year, oldest first");
    example("log https://example.com/ --all --json", "every capture, for a program");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const CaptureInfo last, find_last(session, snapshot));
    BA_TRY(set_limits(session, snapshot, last));
    if (significance_.wanted()) {
      return print_significant_log(session, snapshot, last, options_, significance_, oneline_);
    }
    BA_ASSIGN(url_metadata_, snapshot.url_metadata(last.number));
    TextTable table(session.out, {{.title = "TIME"},
                                  {.title = "VERSION"},
                                  {.title = "SIZE", .align = Column::Align::right},
                                  {.title = "TYPE"},
                                  {.title = options_.unchanged ? "" : "SAME UNTIL"}});
    std::uint64_t count = 0;
    std::uint64_t damaged = 0;
    BA_TRY(snapshot.log(last.number, options_, [&](const LogEntry& entry) {
      ++count;
      if (entry.damaged) ++damaged;
      print(session, table, last.url, entry);
      return session.out.ok();
    }));
    table.finish();
    if (count == 0) print_note("no capture in that time");
    if (damaged == 0) return ExitCode::done;
    print_warning(counted(damaged, "entry", "entries") + " cannot be read whole; 'blockarch fsck' says why");
    return ExitCode::damaged;
  }

 private:
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
    return {};
  }

  void print(Session& session, TextTable& table, const std::string& url, const LogEntry& entry) const {
    Output& out = session.out;
    if (session.options.json) return write_json_line(out, entry_json(url, url_metadata_, entry));
    const Style style = entry.changed ? Style::plain : Style::dim;
    if (oneline_) {
      return out.line(fmt::format("{} {} {} {}{}", format_rfc3339(entry.time),
                                  out.styled(short_id(entry.version.hash), entry.changed ? Style::cyan : Style::dim),
                                  entry.size, printable(entry.media_type), entry.damaged ? " damaged" : ""));
    }
    table.row({{format_rfc3339(entry.time), style},
               {short_id(entry.version.hash), entry.changed ? Style::cyan : Style::dim},
               {human_size(entry.size), style},
               {entry.media_type, Style::dim},
               note_for(table, entry)});
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
};

}  // namespace

std::unique_ptr<Command> make_log_command() {
  return std::make_unique<LogCommand>();
}

}  // namespace blockarch
