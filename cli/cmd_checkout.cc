// blockarch checkout: a page as it was, or a whole site as of a date.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/url_filter.h"
#include "engine/names.h"
#include "engine/site.h"

namespace blockarch {
namespace {

Error usage(const char* message) {
  return {ErrorCode::invalid, message};
}

class CheckoutCommand : public Command {
 public:
  CheckoutCommand() : Command("checkout", "get a page, or a whole site, as it was") {
    synopsis("checkout URL[@DATE] [--at T] [-o FILE]");
    synopsis("checkout --all -o DIR [--at T] [--host HOST [--subdomains]] [--exact]");
    describe(
        "Gives the exact bytes of URL as of a time, checked against their hash, to standard output or FILE; "
        "FILE is "
        "there whole or not at all.\n\n"
        "With --all, writes every page of the archive, or of one host, as of that time into DIR. Names are "
        "made safe, "
        "and links between the pages lead to each other; --exact leaves the pages as they were captured.");
    operand("URL", &url_, "the page, also as URL@DATE, URL~N, or a version's id");
    option("--at", "T", &at_, "as of this time (the newest); a bare date means its end; a tag's name will do");
    option("-o,--output", "FILE", &output_, "where to: a file, or with --all a directory").kind = ValueKind::file;
    flag("--all", all_, "every page");
    option("--host", "HOST", &filter_.host, "with --all: only this host");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    flag("--exact", exact_, "with --all: do not touch links");
    example("checkout https://example.com/ --at 2024-05-01 -o page.html", "a page as it was at the end of a day");
    example("checkout https://example.com/~1", "the version before the newest");
    example("checkout --all --at 2024 --host example.com -o site/", "a site as it was at the end of a year");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(settle_host(filter_));
    return all_ ? run_site(session) : run_page(session);
  }

 private:
  Result<ExitCode> run_page(Session& session) {
    if (url_.empty()) return usage("checkout needs URL, or --all");
    if (exact_) return usage("--exact goes with --all; one page is always exact");
    if (!filter_.host.empty()) return usage("--host goes with --all");
    const bool to_output = output_.empty() || output_ == "-";
    if (to_output && session.options.json) return usage("checkout --json needs -o FILE, where the bytes go");
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const Page page, find_page(session, snapshot));
    if (to_output) {
      session.out.write(page.bytes);
      return ExitCode::done;
    }
    BA_TRY(write_output_file(output_, page.bytes));
    if (session.options.json) {
      Json json = {{"file", output_}, {"version", page.id.hash.hex()}, {"size", page.bytes.size()}};
      if (!page.url.empty()) json.update({{"url", page.url}, {"time", format_rfc3339(page.time)}});
      write_json_line(session.out, json);
    }
    return ExitCode::done;
  }

  Result<Page> find_page(const Session& session, const Snapshot& snapshot) const {
    if (at_) {
      BA_ASSIGN(const Time at, resolve_time(snapshot, *at_, DateEnd::last, session.now));
      const auto number = snapshot.find_url(url_);
      if (!number) {
        const bool dated = resolve_name(snapshot, url_, session.now).has_value();
        return dated ? usage("give the date with --at or in the name, not both; --at goes with a URL") : number.error();
      }
      BA_ASSIGN(const CaptureInfo capture, snapshot.capture_at(*number, at));
      return snapshot.page(capture);
    }
    BA_ASSIGN(const Named named, resolve_name(snapshot, url_, session.now));
    if (const auto* capture = std::get_if<CaptureInfo>(&named)) return snapshot.page(*capture);
    const auto& id = *std::get_if<ObjectId>(&named);
    if (id.kind == ObjectKind::version) return snapshot.page(VersionId{id.hash});
    return Error{ErrorCode::invalid, fmt::format("{} is no page; 'blockarch cat' prints it", id.text())};
  }

  Result<ExitCode> run_site(Session& session) {
    if (!url_.empty()) return usage("checkout --all takes no URL; --host HOST limits it");
    if (output_.empty() || output_ == "-") return usage("checkout --all needs -o DIR");
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    SiteOptions options;
    options.at = Time::max();
    if (at_) {
      BA_ASSIGN(options.at, resolve_time(snapshot, *at_, DateEnd::last, session.now));
    }
    options.filter = filter_;
    options.exact = exact_;
    Progress progress(session.options.no_color);
    options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
      progress.update("checking out", done, total);
    };
    BA_ASSIGN(const SiteReport report, checkout_site(snapshot, output_, options));
    progress.finish();
    for (const std::string& problem : report.problems) print_warning(problem);
    print_report(session, report);
    return report.problems.empty() ? ExitCode::done : ExitCode::partly;
  }

  void print_report(Session& session, const SiteReport& report) const {
    if (session.options.json) {
      return write_json_document(session.out, {{"directory", output_},
                                               {"pages", report.pages},
                                               {"skipped", report.skipped},
                                               {"bytes", report.bytes},
                                               {"links_rewritten", report.links_rewritten},
                                               {"problems", report.problems}});
    }
    Output& out = session.out;
    out.line(fmt::format("wrote {}, {}, into {}", counted(report.pages, "page", "pages"), human_size(report.bytes),
                         printable(output_)));
    if (report.links_rewritten > 0) {
      out.line(
          out.styled(fmt::format("  {} between them", counted(report.links_rewritten, "link", "links")), Style::dim));
    }
    if (report.skipped > 0) {
      out.line(
          out.styled(fmt::format("  {} not captured by then", counted(report.skipped, "URL", "URLs")), Style::dim));
    }
    if (!report.problems.empty()) {
      out.line(out.styled(fmt::format("  {}", counted(report.problems.size(), "problem", "problems")), Style::red));
    }
  }

  std::string url_;
  std::optional<std::string> at_;
  std::string output_;
  bool all_ = false;
  UrlFilter filter_;
  bool exact_ = false;
};

}  // namespace

std::unique_ptr<Command> make_checkout_command() {
  return std::make_unique<CheckoutCommand>();
}

}  // namespace blockarch
