// blockarch export: captures as files that other programs read.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/url_filter.h"
#include "engine/names.h"
#include "transfer/export_git.h"
#include "transfer/export_html.h"
#include "transfer/export_lines.h"
#include "transfer/export_warc.h"

namespace blockarch {
namespace {

Error usage(std::string message) {
  return {ErrorCode::invalid, std::move(message)};
}

class ExportCommand : public Command {
 public:
  ExportCommand() : Command("export", "write captures as WARC, CDXJ, a git repository or HTML files") {
    synopsis("export [PATTERN…] --format FORMAT -o OUT [options]");
    describe(
        "Writes captures in a form that other programs read: WARC files (warc, warc.gz) for web archives, the CDXJ "
        "index of one (cdxj), a git repository with a commit for each capture that showed something new (git), or the "
        "versions of each page as plain files with a list of them (html). OUT is there whole or not at all, and the "
        "same captures always give the same bytes.\n\n"
        "Without PATTERN and options everything is exported. PATTERN is a part of the URL, or, where it has a '*', the "
        "whole of it with '*' for anything and '?' for one character.");
    operand("PATTERN", &patterns_, "which URLs; one of several must fit");
    Argument& format = option("-f,--format", "FORMAT", &format_, "warc, warc.gz, cdxj, git or html");
    format.kind = ValueKind::choice;
    format.choices = {"warc", "warc.gz", "cdxj", "git", "html"};
    option("-o,--output", "OUT", &output_, "a file, - for standard output, or for git and html a new directory").kind =
        ValueKind::file;
    option("--host", "HOST", &filter_.host, "only this host");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    option("--since", "T", &since_, "only captures at or after this time");
    option("--until", "T", &until_, "only captures at or before this time; a bare date means its end");
    option("--tag", "NAME", &tags_, "of each URL only what it showed at this tag; may be repeated");
    flag("--revisits", revisits_, "WARC: a page that is in the file already is named, not repeated");
    option("--cdxj", "FILE", &cdxj_, "WARC: also write its index to FILE").kind = ValueKind::file;
    flag("--branch-per-host", branch_per_host_, "git: a branch for each host instead of one for all");
    example("export --format warc.gz -o pages.warc.gz", "everything, for other web archives");
    example("export --format git -o pages.git", "everything, for git log and git diff");
    example("export --format html --host example.com --since 2024 -o pages/", "the pages of a host as files");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(check_usage(session.options.json));
    BA_TRY(settle_host(filter_));
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const ExportSelection selection, make_selection(session, snapshot));
    Progress progress(session.options.no_color);
    const auto tell = [&](std::uint64_t done, std::uint64_t total) { progress.update("exporting", done, total); };
    BA_ASSIGN(const ExportReport report, write(snapshot, selection, tell));
    progress.finish();
    for (const std::string& problem : report.problems) print_warning(problem);
    if (output_ != "-") print_report(session, report);
    return report.lost == 0 ? ExitCode::done : ExitCode::partly;
  }

 private:
  Result<void> check_usage(bool json) const {
    if (format_.empty()) return usage("export needs --format FORMAT");
    if (output_.empty()) return usage("export needs -o OUT");
    if (output_ == "-" && json) return usage("export --json needs -o FILE, where the bytes go");
    if (output_ == "-" && (format_ == "git" || format_ == "html")) {
      return usage(fmt::format("--format {} is a directory: name one with -o", format_));
    }
    if (revisits_ && !is_warc()) return usage("--revisits goes with --format warc or warc.gz");
    if (cdxj_ && !is_warc()) return usage("--cdxj goes with --format warc or warc.gz");
    if (cdxj_ && (*cdxj_ == "-" || *cdxj_ == output_)) return usage("--cdxj needs a file of its own");
    if (branch_per_host_ && format_ != "git") return usage("--branch-per-host goes with --format git");
    return {};
  }

  bool is_warc() const { return format_ == "warc" || format_ == "warc.gz"; }

  Result<ExportSelection> make_selection(const Session& session, const Snapshot& snapshot) const {
    ExportSelection selection;
    selection.patterns = patterns_;
    selection.host = filter_.host;
    selection.subdomains = filter_.subdomains;
    if (since_) {
      BA_ASSIGN(selection.since, resolve_time(snapshot, *since_, DateEnd::first, session.now));
    }
    if (until_) {
      BA_ASSIGN(selection.until, resolve_time(snapshot, *until_, DateEnd::last, session.now));
    }
    for (const std::string& name : tags_) {
      BA_ASSIGN(const auto tag, snapshot.find_tag(name));
      if (!tag) return Error{ErrorCode::not_found, fmt::format("there is no tag '{}'", name)};
      selection.instants.push_back(tag->instant);
    }
    return selection;
  }

  Result<ExportReport> write(const Snapshot& snapshot, const ExportSelection& selection,
                             const ExportProgressFunction& progress) const {
    if (is_warc()) return write_warc(snapshot, selection, progress);
    if (format_ == "cdxj") return write_cdxj(snapshot, selection, progress);
    if (format_ == "git") return export_git(snapshot, output_, {selection, branch_per_host_, progress});
    return export_html(snapshot, output_, {selection, progress});
  }

  Result<ExportReport> write_warc(const Snapshot& snapshot, const ExportSelection& selection,
                                  const ExportProgressFunction& progress) const {
    WarcExportOptions options;
    options.selection = selection;
    options.selection.records = true;
    options.compression = format_ == "warc" ? WarcCompression::none : WarcCompression::gzip;
    options.revisits = revisits_;
    options.software = "blockarch " BLOCKARCH_VERSION;
    options.progress = progress;
    SortedLines lines;
    if (cdxj_) {
      if (output_ != "-") options.filename = std::filesystem::path(output_).filename().string();
      options.on_line = [&](std::string line) { return lines.add(std::move(line)); };
    }
    BA_ASSIGN(OutputFile file, OutputFile::create(output_));
    BA_ASSIGN(ExportReport report, export_warc(snapshot, options, [&](ByteView bytes) { return file.write(bytes); }));
    BA_TRY(file.finish());
    if (!cdxj_) return report;
    BA_ASSIGN(OutputFile index, OutputFile::create(*cdxj_));
    BA_TRY(lines.finish([&](ByteView line) { return index.write(line); }));
    BA_TRY(index.finish());
    return report;
  }

  Result<ExportReport> write_cdxj(const Snapshot& snapshot, const ExportSelection& selection,
                                  const ExportProgressFunction& progress) const {
    BA_ASSIGN(OutputFile file, OutputFile::create(output_));
    BA_ASSIGN(ExportReport report,
              export_cdxj(snapshot, {selection, progress}, [&](ByteView line) { return file.write(line); }));
    BA_TRY(file.finish());
    return report;
  }

  void print_report(Session& session, const ExportReport& report) const {
    if (session.options.json) {
      Json json = {{"format", format_},
                   {"output", output_},
                   {"urls", report.urls},
                   {"captures", report.captures},
                   {"payload_bytes", report.payload_bytes},
                   {"output_bytes", report.output_bytes}};
      if (format_ == "git") {
        json.update({{"commits", report.commits}, {"branches", report.branches}, {"objects", report.objects}});
      }
      if (is_warc()) json["revisits"] = report.revisits;
      if (format_ == "html") json["files"] = report.files;
      json["lost"] = report.lost;
      json["problems"] = report.problems;
      return write_json_document(session.out, json);
    }
    Output& out = session.out;
    out.line(fmt::format("exported {} of {}, {}, into {}", counted(report.captures, "capture", "captures"),
                         counted(report.urls, "URL", "URLs"), human_size(report.output_bytes), printable(output_)));
    if (format_ == "git") {
      out.line(out.styled(
          fmt::format("  {} on {}, {}", counted(report.commits, "commit", "commits"),
                      counted(report.branches, "branch", "branches"), counted(report.objects, "object", "objects")),
          Style::dim));
    }
    if (report.revisits > 0) {
      out.line(out.styled(fmt::format("  {}", counted(report.revisits, "revisit", "revisits")), Style::dim));
    }
    if (format_ == "html") {
      out.line(out.styled(fmt::format("  {}", counted(report.files, "version", "versions")), Style::dim));
    }
    if (report.lost > 0) {
      out.line(
          out.styled(fmt::format("  {} could not be read", counted(report.lost, "capture", "captures")), Style::red));
    }
  }

  std::vector<std::string> patterns_;
  std::string format_;
  std::string output_;
  UrlFilter filter_;
  std::optional<std::string> since_;
  std::optional<std::string> until_;
  std::vector<std::string> tags_;
  bool revisits_ = false;
  std::optional<std::string> cdxj_;
  bool branch_per_host_ = false;
};

}  // namespace

std::unique_ptr<Command> make_export_command() {
  return std::make_unique<ExportCommand>();
}

}  // namespace blockarch
