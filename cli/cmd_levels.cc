// blockarch levels: how deep the pages of each URL are best cut, learnt from their history.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/level_text.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "cli/url_filter.h"
#include "engine/glob.h"
#include "engine/names.h"
#include "history/levels.h"

namespace blockarch {
namespace {

class LevelsCommand : public Command {
 public:
  LevelsCommand() : Command("levels", "learn from history how deep pages are best cut") {
    synopsis("levels [PATTERN]");
    synopsis("levels --learn [PATTERN] [--host HOST [--subdomains]]");
    synopsis("levels --forget [PATTERN]");
    describe(
        "Lists what was learnt about how to cut the pages of URLs. --learn learns it from the last captures of each: "
        "blocks "
        "that always change together are kept whole, blocks of which little changes are cut finer, and what takes less "
        "room "
        "on captures that it was not learnt from is kept in the archive. 'add --learnt-level' and 'import "
        "--learnt-level' "
        "cut new captures so; what is stored is never touched. 'show --level URL' explains it for one URL.");
    operand("PATTERN", &pattern_, "which URLs, as in 'urls'; all of them without it");
    flag("--learn", learn_, "learn, and keep what was learnt");
    flag("--forget", forget_, "forget what was learnt");
    option("--host", "HOST", &filter_.host, "with --learn: only this host, for example example.com");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    example("levels --learn --host example.com", "learn about a site");
    example("levels", "what is known");
  }

  Result<ExitCode> run(Session& session) override {
    if (learn_ && forget_) return Error{ErrorCode::invalid, "--learn and --forget do not go together"};
    if (!filter_.host.empty() && !learn_) return Error{ErrorCode::invalid, "--host goes with --learn"};
    BA_TRY(settle_host(filter_));
    if (!pattern_.empty()) filter_.pattern = pattern_.find('*') != std::string::npos ? pattern_ : "*" + pattern_ + "*";
    BA_ASSIGN(Archive archive, open_archive(session));
    if (learn_) return learn(session, archive);
    BA_ASSIGN(const auto levels, kept(archive));
    if (forget_) return forget(session, archive, levels);
    TextTable table = make_table(session);
    for (const auto& [url, level] : levels) print(session, table, level);
    table.finish();
    if (levels.empty()) print_note("nothing was learnt yet; 'levels --learn' does");
    return ExitCode::done;
  }

 private:
  // Those that match the pattern.
  Result<std::map<std::string, LearntLevel>> kept(const Archive& archive) const {
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(auto levels, all_levels(snapshot));
    std::erase_if(levels, [&](const auto& entry) {
      return !filter_.pattern.empty() && !matches_glob(filter_.pattern, entry.first);
    });
    return levels;
  }

  // A setting may have to wait until no snapshot is open, so learning and keeping take turns.
  Result<ExitCode> learn(Session& session, Archive& archive) {
    std::vector<UrlNumber> urls;
    {
      BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
      BA_TRY(snapshot.urls(filter_, [&](const UrlSummary& url) {
        urls.push_back(url.number);
        return true;
      }));
    }
    TextTable table = make_table(session);
    Progress progress(session.options.no_color);
    std::uint64_t done = 0;
    for (const UrlNumber url : urls) {
      progress.update("URLs", ++done, urls.size());
      std::optional<LearntLevel> level;
      {
        BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
        BA_ASSIGN(level, learn_level(snapshot, url));
      }
      if (!level) continue;
      BA_ASSIGN(Writer writer, archive.writer({.wait = session.options.wait()}));
      BA_TRY(put_level(writer, *level));
      print(session, table, *level);
    }
    progress.finish();
    table.finish();
    if (urls.empty()) print_note("no URL matches");
    return ExitCode::done;
  }

  static Result<ExitCode> forget(Session& session, Archive& archive, const std::map<std::string, LearntLevel>& levels) {
    BA_ASSIGN(Writer writer, archive.writer({.wait = session.options.wait()}));
    for (const auto& [url, level] : levels) {
      BA_TRY(erase_level(writer, url));
      if (session.options.json) {
        write_json_line(session.out, {{"url", url}, {"forgotten", true}});
      } else {
        session.out.line("forgot " + printable(url));
      }
    }
    return ExitCode::done;
  }

  static TextTable make_table(Session& session) {
    return TextTable(session.out, {{.title = "URL", .cut = Column::Cut::middle},
                                   {.title = "CUT"},
                                   {.title = "CHECKED ON", .align = Column::Align::right},
                                   {.title = "BYTES", .align = Column::Align::right},
                                   {.title = "CHANGED", .align = Column::Align::right}});
  }

  static void print(Session& session, TextTable& table, const LearntLevel& level) {
    if (session.options.json) return write_json_line(session.out, level_json(level));
    table.row({{level.url},
               {cut_text(level.choice), level.choice.is_default() ? Style::dim : Style::plain},
               {group_digits(level.checked_on)},
               {percent_text(level.by_choice.stored, level.by_default.stored)},
               {percent_text(level.by_choice.fresh, level.by_default.fresh)}});
  }

  std::string pattern_;
  bool learn_ = false;
  bool forget_ = false;
  UrlFilter filter_;
};

}  // namespace

std::unique_ptr<Command> make_levels_command() {
  return std::make_unique<LevelsCommand>();
}

}  // namespace blockarch
