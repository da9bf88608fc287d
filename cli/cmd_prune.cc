// blockarch prune: keep some captures of each URL.
#include <fmt/format.h>

#include "cli/removal_report.h"
#include "cli/rules.h"
#include "cli/session.h"
#include "cli/url_filter.h"
#include "engine/removal.h"

namespace blockarch {
namespace {

class PruneCommand : public Command {
 public:
  PruneCommand() : Command("prune", "keep some captures of each URL and remove the rest") {
    synopsis(
        "prune [PATTERN] [--host HOST [--subdomains]] [--where KEY=PATTERN]... [--keep-last N] [--keep-daily N] "
        "[--keep-weekly N] [--keep-monthly N] [--keep-yearly N] [--keep-since T] [--keep-changes] [--dry-run]");
    describe(
        "Keeps what any of the --keep options keeps: the N newest captures; of the N newest days (weeks, months, "
        "years) "
        "with captures the last one each; all since a date; the first capture of everything that was seen. The newest "
        "capture of a URL stays always, and so does what a tag's moment shows. The rest leaves the log; gc frees its "
        "space after a grace, until which forget --undo URL puts it back.\n\n"
        "PATTERN, --host, --subdomains and --where choose URLs as urls does; without them all are pruned.");
    operand("PATTERN", &pattern_, "which URLs; all of them without it");
    option("--host", "HOST", &filter_.host, "only this host");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    option("--where", "KEY=PATTERN", &where_, "only where metadata matches; may be given more than once");
    option("--keep-last", "N", &last_, "the N newest captures");
    option("--keep-daily", "N", &daily_, "the last capture of each of N days");
    option("--keep-weekly", "N", &weekly_, "the last capture of each of N weeks");
    option("--keep-monthly", "N", &monthly_, "the last capture of each of N months");
    option("--keep-yearly", "N", &yearly_, "the last capture of each of N years");
    option("--keep-since", "T", &since_, "all captures since a date");
    flag("--keep-changes", retention_.changes, "the first capture of each version");
    flag("-n,--dry-run", dry_run_, "tell what would go, change nothing");
    example("prune --keep-daily 30 --keep-monthly 24 --dry-run", "what a policy would remove");
    example("prune --keep-changes", "drop only visits that found nothing new");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(settle_host(filter_));
    BA_ASSIGN(filter_.where, parse_where(where_));
    filter_.pattern = pattern_.empty() || pattern_.find('*') != std::string::npos ? pattern_ : "*" + pattern_ + "*";
    retention_.last = last_.value_or(0);
    retention_.daily = daily_.value_or(0);
    retention_.weekly = weekly_.value_or(0);
    retention_.monthly = monthly_.value_or(0);
    retention_.yearly = yearly_.value_or(0);
    if (since_) {
      BA_ASSIGN(retention_.since, parse_time(*since_, DateEnd::first, session.now));
    }
    BA_ASSIGN(Archive archive, open_archive(session));
    BA_ASSIGN(const RemovalReport report,
              prune(archive, filter_, retention_, {session.now, dry_run_, session.options.wait()}));
    print_removal(session, report, dry_run_);
    return ExitCode::done;
  }

 private:
  std::string pattern_;
  UrlFilter filter_;
  std::vector<std::string> where_;
  Retention retention_;
  std::optional<std::uint64_t> last_;
  std::optional<std::uint64_t> daily_;
  std::optional<std::uint64_t> weekly_;
  std::optional<std::uint64_t> monthly_;
  std::optional<std::uint64_t> yearly_;
  std::optional<std::string> since_;
  bool dry_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_prune_command() {
  return std::make_unique<PruneCommand>();
}

}  // namespace blockarch
