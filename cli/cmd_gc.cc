// blockarch gc: away with what nothing refers to.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/gc.h"

namespace blockarch {
namespace {

Json report_json(const GcReport& report, bool dry_run) {
  Json packs = Json::array();
  for (const GcReport::PackUse& pack : report.packs) {
    packs.push_back({{"name", pack.name},
                     {"bytes", pack.bytes},
                     {"objects", pack.objects},
                     {"dead_objects", pack.dead_objects},
                     {"rewritten", pack.rewritten}});
  }
  return {{"dry_run", dry_run},
          {"expired_captures", report.expired_captures},
          {"waiting_captures", report.waiting_captures},
          {"dead_versions", report.dead_versions},
          {"dead_metadata", report.dead_metadata},
          {"loose_objects", report.loose_objects},
          {"loose_bytes", report.loose_bytes},
          {"packs", std::move(packs)},
          {"bytes_before", report.bytes_before},
          {"bytes_after", report.bytes_after}};
}

class GcCommand : public Command {
 public:
  GcCommand() : Command("gc", "remove what no capture refers to") {
    synopsis("gc [--dry-run] [--grace DAYS] [--now]");
    describe(
        "Collects the objects of captures that were pruned or forgotten longer ago than the grace, 14 days unless "
        "--grace says otherwise: until then they can be put back. Whatever a capture still shows stays. Packs of which "
        "a tenth or more is dead are written anew; those that they replace wait in quarantine/ until the next gc.\n\n"
        "Reading and capturing go on meanwhile. --dry-run tells what would go and why, and changes nothing.");
    flag("-n,--dry-run", dry_run_, "tell what would go, change nothing");
    option("--grace", "DAYS", &grace_, "how long what was removed can be put back (14)");
    flag("--now", at_once_, "write every pack with anything dead anew, and remove replaced packs at once");
    example("gc --dry-run", "what would go");
    example("gc --grace 0 --now", "everything that was removed, and its space back");
  }

  Result<ExitCode> run(Session& session) override {
    constexpr std::uint64_t kMostDays = 36'500;
    GcOptions options;
    options.now = session.now;
    if (grace_) {
      if (*grace_ > kMostDays)
        return Error{ErrorCode::invalid, fmt::format("--grace {}: give 0 to {} days", *grace_, kMostDays)};
      options.grace = std::chrono::hours(24 * static_cast<std::int64_t>(*grace_));
    }
    options.dry_run = dry_run_;
    options.at_once = at_once_;
    if (at_once_) options.worth = 0;
    options.wait = session.options.wait();
    BA_ASSIGN(Archive archive, open_archive(session));
    Progress progress(session.options.no_color);
    const StopOnSignal stop;
    options.stop = &stop.flag();
    options.progress = [&progress](const char* stage, std::uint64_t done, std::uint64_t total) {
      progress.update(stage, done, total);
    };
    BA_ASSIGN(const GcReport report, collect_garbage(archive, options));
    progress.finish();
    if (session.options.json) {
      write_json_document(session.out, report_json(report, dry_run_));
    } else {
      print(session.out, report);
    }
    return ExitCode::done;
  }

 private:
  void print(Output& out, const GcReport& report) const {
    TextTable table(out, {{}, {.align = Column::Align::right}, {}});
    table.row({{"captures past their grace", Style::dim}, {group_digits(report.expired_captures)}});
    table.row({{"captures that can be put back", Style::dim}, {group_digits(report.waiting_captures)}});
    table.row({{"versions that no capture shows", Style::dim}, {group_digits(report.dead_versions)}});
    table.row({{"loose objects", Style::dim},
               {group_digits(report.loose_objects)},
               {human_size(report.loose_bytes), Style::dim}});
    for (const GcReport::PackUse& pack : report.packs) {
      if (pack.dead_objects == 0) continue;
      table.row(
          {{fmt::format("pack {}", pack.name.substr(0, 12)), Style::dim},
           {fmt::format("{} of {}", group_digits(pack.dead_objects), group_digits(pack.objects))},
           {pack.rewritten ? (dry_run_ ? "would be written anew" : "written anew") : "not worth it yet", Style::dim}});
    }
    table.finish();
    if (dry_run_) {
      out.line("nothing was changed");
    } else {
      out.line(fmt::format("archive {} → {}", human_size(report.bytes_before),
                           out.styled(human_size(report.bytes_after), Style::bold)));
    }
  }

  bool dry_run_ = false;
  bool at_once_ = false;
  std::optional<std::uint64_t> grace_;
};

}  // namespace

std::unique_ptr<Command> make_gc_command() {
  return std::make_unique<GcCommand>();
}

}  // namespace blockarch
