// blockarch fsck: is everything there, and is it what it was?
#include "fsck/fsck.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "fsck/repair.h"

namespace blockarch {
namespace {

Cell severity_cell(Severity severity) {
  switch (severity) {
    case Severity::damage:
      return {"damage", Style::red};
    case Severity::derived:
      return {"derived", Style::yellow};
    case Severity::notice:
      return {"notice", Style::dim};
  }
  return {"damage", Style::red};
}

Json findings_json(const std::vector<Finding>& all) {
  Json findings = Json::array();
  for (const Finding& finding : all) {
    findings.push_back(
        {{"id", finding.id}, {"severity", severity_cell(finding.severity).text}, {"message", finding.message}});
  }
  return findings;
}

Json report_json(const std::string& directory, const FsckReport& report) {
  return {{"directory", directory},
          {"clean", report.clean()},
          {"packs", report.packs},
          {"objects", report.objects},
          {"urls", report.urls},
          {"captures", report.observations},
          {"versions", report.versions},
          {"rebuilt", report.rebuilt},
          {"unreferenced", report.unreferenced},
          {"findings", findings_json(report.findings)}};
}

// "5%" or "0.05"
Result<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double share = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (percent) share /= 100;
  if (problem != std::errc() || end != text.data() + text.size() || !(share > 0 && share <= 1)) {
    return Error{ErrorCode::invalid, "--sample takes a share of the versions, such as 5% or 0.05"};
  }
  return share;
}

class FsckCommand : public Command {
 public:
  FsckCommand() : Command("fsck", "check the archive") {
    synopsis("fsck [--full | --sample SHARE]");
    synopsis("fsck --repair [--drop-lost]");
    describe(
        "Checks the structure of tables and packs, all checksums, the hash of every loose object, and that everything "
        "that is referred to is there. Changes nothing, and works where other commands refuse to open the archive. "
        "Exit "
        "code 5 where anything is worse than a notice.");
    flag("--full", full_,
         "also decompress and hash everything, put every version together and compare it with its hash");
    option("--sample", "SHARE", &sample_, "put a random share of the versions together: 5%, or 0.05");
    option("--seed", "N", &seed_, "draw the same versions as the check that printed this number");
    flag("--repair", repair_, "put right what can be put right, then check everything");
    flag("--drop-lost", drop_lost_, "with --repair: take captures that are lost out of their histories");
    example("fsck --full", "the long way, before a backup is thrown away");
    example("fsck --sample 5%", "every night");
  }

  Result<ExitCode> run(Session& session) override {
    const std::string directory = session.options.archive_directory();
    if (drop_lost_ && !repair_) return Error{ErrorCode::invalid, "--drop-lost goes with --repair only"};
    if (repair_) return run_repair(session);
    Progress progress(session.options.no_color);
    FsckOptions options;
    options.full = full_;
    if (sample_) {
      BA_ASSIGN(options.sample, parse_share(*sample_));
      options.seed = seed_ ? *seed_ : std::random_device()();
    }
    options.progress = [&progress](const char* stage, std::uint64_t done, std::uint64_t total) {
      progress.update(stage, done, total);
    };
    BA_ASSIGN(const FsckReport report, check_archive(directory, options));
    progress.finish();
    if (session.options.json) {
      Json document = report_json(directory, report);
      if (sample_) document["seed"] = options.seed;
      write_json_document(session.out, document);
    } else {
      print(session.out, report);
      if (sample_) {
        session.out.line(fmt::format("{} put together, drawn with --seed {}",
                                     counted(report.rebuilt, "version was", "versions were"), options.seed));
      }
    }
    return report.clean() ? ExitCode::done : ExitCode::damaged;
  }

 private:
  Result<ExitCode> run_repair(Session& session) const {
    Progress progress(session.options.no_color);
    RepairOptions options;
    options.drop_lost = drop_lost_;
    options.progress = [&progress](const char* stage, std::uint64_t done, std::uint64_t total) {
      progress.update(stage, done, total);
    };
    const std::string directory = session.options.archive_directory();
    BA_ASSIGN(const RepairReport report, repair_archive(directory, options));
    progress.finish();
    if (session.options.json) {
      Json document = report_json(directory, report.after);
      document["actions"] = report.actions;
      document["advice"] = report.advice;
      document["lost"] = findings_json(report.lost);
      write_json_document(session.out, document);
    } else {
      print_repair(session.out, report);
    }
    return report.lost.empty() && report.after.clean() ? ExitCode::done : ExitCode::damaged;
  }

  static void print_repair(Output& out, const RepairReport& report) {
    for (const std::string& action : report.actions) out.line(action);
    for (const Finding& finding : report.lost) out.line(out.styled("lost: ", Style::red) + finding.message);
    for (const std::string& advice : report.advice) out.line(advice);
    if (!report.actions.empty() || !report.lost.empty() || !report.advice.empty()) out.line();
    print(out, report.after);
  }

  static void print(Output& out, const FsckReport& report) {
    // Messages are never cut: they say what is lost.
    TextTable table(out, {{}, {}, {}});
    std::uint64_t worse = 0;
    for (const Finding& finding : report.findings) {
      table.row({severity_cell(finding.severity), {finding.id, Style::bold}, {finding.message}});
      if (finding.severity != Severity::notice) ++worse;
    }
    table.finish();
    if (!report.findings.empty()) out.line();
    const std::string verdict = report.clean() ? out.styled("clean", Style::green)
                                               : out.styled(counted(worse, "problem", "problems"), Style::red);
    out.line(fmt::format("{}: checked {}, {}, {}, {}", verdict, counted(report.urls, "URL", "URLs"),
                         counted(report.observations, "capture", "captures"),
                         counted(report.versions, "version", "versions"),
                         counted(report.objects, "object", "objects")));
    if (report.unreferenced > 0) {
      out.line(
          out.styled(fmt::format("{} referred to by nothing", counted(report.unreferenced, "object is", "objects are")),
                     Style::dim));
    }
  }

  bool full_ = false;
  bool repair_ = false;
  bool drop_lost_ = false;
  std::optional<std::string> sample_;
  std::optional<std::uint64_t> seed_;
};

}  // namespace

std::unique_ptr<Command> make_fsck_command() {
  return std::make_unique<FsckCommand>();
}

}  // namespace blockarch
