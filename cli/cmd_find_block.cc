// blockarch find-block: every URL and time a block or a text was seen.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "cli/url_filter.h"
#include "engine/names.h"
#include "history/find_block.h"

namespace blockarch {
namespace {

bool reads_as_id(std::string_view text) {
  return text.size() >= 4 && text.size() <= 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return std::isxdigit(static_cast<unsigned char>(c)); });
}

class FindBlockCommand : public Command {
 public:
  FindBlockCommand() : Command("find-block", "find where and when a block or a text was seen") {
    synopsis("find-block ID|TEXT [--host HOST [--subdomains]] [--since T] [--until T]");
    describe(
        "Looks through the history of every URL for a block, by its id or the beginning of it, or for a text as a "
        "reader "
        "sees it, and lists each URL and each span of time in which it was seen without a break. A text must stand "
        "within "
        "one block; blanks in it stand for any blanks. Hexadecimal digits are an id; with --text they are a text.");
    operand("WHAT", &what_, "a block's id, at least four digits of it, or a text").required = true;
    flag("-t,--text", text_, "WHAT is a text, even if it reads as an id");
    flag("-i,--ignore-case", ignore_case_, "capital and small letters are the same");
    option("--host", "HOST", &options_.urls.host, "only this host, for example example.com");
    flag("--subdomains", options_.urls.subdomains, "with --host: its subdomains too");
    option("--since", "T", &since_, "only captures at T or later");
    option("--until", "T", &until_, "only captures at T or earlier");
    option("-n,--limit", "N", &limit_, "at most N lines");
    example("find-block 3f2a91", "every page that ever had this block");
    example("find-block 'third-party cookies' --host example.com", "since when a site says so");
  }

  Result<ExitCode> run(Session& session) override {
    if (limit_ && *limit_ == 0) return Error{ErrorCode::invalid, "-n takes a number from 1"};
    BA_TRY(settle_host(options_.urls));
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    if (since_) {
      BA_ASSIGN(options_.since, resolve_time(snapshot, *since_, DateEnd::first, session.now));
    }
    if (until_) {
      BA_ASSIGN(options_.until, resolve_time(snapshot, *until_, DateEnd::last, session.now));
    }
    BA_ASSIGN(const FindBlockReport report, find(session, snapshot));
    if (report.damaged > 0) {
      print_warning(counted(report.damaged, "object", "objects") +
                    " cannot be read and were passed over; 'blockarch fsck' says why");
      return ExitCode::damaged;
    }
    if (found_ > 0) return ExitCode::done;
    return Error{ErrorCode::not_found,
                 fmt::format("'{}' was not seen in {} of {}", what_, counted(report.versions, "version", "versions"),
                             counted(report.urls, "URL", "URLs"))};
  }

 private:
  Result<FindBlockReport> find(Session& session, const Snapshot& snapshot) {
    TextTable table(session.out, {{.title = "FIRST"},
                                  {.title = "LAST"},
                                  {.title = "VERSIONS", .align = Column::Align::right},
                                  {.title = "BLOCK"},
                                  {.title = "URL", .cut = Column::Cut::middle}});
    Progress progress(session.options.no_color);
    options_.progress = [&](std::uint64_t done) { progress.update("versions", done, 0); };
    const auto each = [&](const Sighting& sighting) {
      ++found_;
      print(session, table, sighting);
      return session.out.ok() && (!limit_ || found_ < *limit_);
    };
    Result<FindBlockReport> report = FindBlockReport();
    if (!text_ && reads_as_id(what_)) {
      BA_ASSIGN(const ObjectId id, snapshot.find_object(what_));
      if (id.kind != ObjectKind::block && id.kind != ObjectKind::list && id.kind != ObjectKind::layout)
        return Error{ErrorCode::invalid, fmt::format("{} is no block; --text looks for the digits", id.text())};
      report = find_block(snapshot, id, options_, each);
    } else {
      TextFinder finder(snapshot.objects(), what_, ignore_case_);
      report = find_text(snapshot, finder, options_, each);
    }
    progress.finish();
    table.finish();
    return report;
  }

  static void print(Session& session, TextTable& table, const Sighting& s) {
    if (!session.options.json) {
      return table.row({{table.time(s.first)},
                        s.gone ? Cell{table.time(s.last)} : Cell{table.time(s.last), Style::green},
                        {group_digits(s.versions)},
                        {short_id(s.block.hash), Style::cyan},
                        {s.url}});
    }
    Json json = {{"url", s.url},
                 {"kind", std::string(kind_name(s.block.kind))},
                 {"id", s.block.hash.hex()},
                 {"first", format_rfc3339(s.first)},
                 {"last", format_rfc3339(s.last)},
                 {"stands", !s.gone.has_value()},
                 {"version", s.version.hash.hex()},
                 {"versions", s.versions}};
    if (s.gone) json["gone"] = format_rfc3339(*s.gone);
    write_json_line(session.out, json);
  }

  std::string what_;
  bool text_ = false;
  bool ignore_case_ = false;
  FindBlockOptions options_;
  std::optional<std::string> since_;
  std::optional<std::string> until_;
  std::optional<std::uint64_t> limit_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_find_block_command() {
  return std::make_unique<FindBlockCommand>();
}

}  // namespace blockarch
