// blockarch diff: what changed between two versions, or on many pages since a date.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/diff_json.h"
#include "cli/diff_page.h"
#include "cli/diff_text.h"
#include "cli/files.h"
#include "cli/rules.h"
#include "cli/session.h"
#include "cli/significance.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "cli/url_filter.h"

namespace blockarch {
namespace {

class DiffCommand : public Command {
 public:
  DiffCommand() : Command("diff", "show what changed between two versions") {
    synopsis("diff URL | diff A B  [--stat | --words | --source | --blocks | --html OUT] [--exit-code]");
    synopsis("diff --since T [PATTERN] [--until T] [--host HOST [--subdomains]] [--where KEY=PATTERN]...");
    describe(
        "Compares two pages block by block: a paragraph, a list item, a row of a table is the same, changed, moved, "
        "moved "
        "and changed, added or removed. A and B are URL, URL@DATE, URL~N or a version's id, of the same URL or of two. "
        "With one name, the version that it stands for is compared with the one before.\n\n"
        "With --since, every URL that shows something else than it did before T is listed with what changed; PATTERN "
        "and "
        "the filters are those of urls.\n\n"
        "--json also has the edits which make the new page's bytes from the old one's. --html writes both pages side "
        "by "
        "side with the changes marked; it is safe to open.");
    operand("A", &names_, "the page: URL, URL@DATE, URL~N, or a version's id; a second one is what it became");
    flag("--stat", stat_, "only how many blocks changed, for each part of the page");
    flag("--words", words_, "the whole text of each changed block");
    flag("--source", source_, "the source instead of the text, and what changed outside of blocks");
    flag("--blocks", blocks_, "every block of both pages, also those that are the same");
    option("--html", "OUT", &html_, "write both pages side by side to a file; '-': standard output").kind =
        ValueKind::file;
    flag("--exit-code", exit_code_, "end with 1 where there is a difference");
    option("--since", "T", &since_, "every URL that changed at T or later; of a bare date, from its beginning");
    option("--until", "T", &until_, "with --since: only up to T; of a bare date, to its end");
    option("--host", "HOST", &filter_.host, "with --since: only this host");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    option("--where", "KEY=PATTERN", &where_, "with --since: only where metadata matches; may be given more than once");
    flag("--significant", significance_.significant, "leave out noise and what a reader does not see");
    option("--rules", "FILE", &significance_.rules, "with --significant: what is noise, instead of the built-in rules")
        .kind = ValueKind::file;
    option("--by", "BASIS", &significance_.by,
           "with --significant: content, source, text, words or words=SHARE must differ");
    example("diff https://example.com/", "the last change of a page");
    example("diff https://example.com/@2024-01 https://example.com/@2024-06", "a half-year");
    example("diff --since '7 days ago' --host example.com", "what changed on a site this week");
    example("diff https://example.com/ --html change.html", "to look at in a browser");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(check_options(session));
    if (significance_.wanted()) {
      BA_ASSIGN(chosen_, ChosenSignificance::make(significance_));
    }
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const bool differs, since_ ? compare_many(session, snapshot) : compare_two(session, snapshot));
    return differs && exit_code_ ? ExitCode::failure : ExitCode::done;
  }

 private:
  Result<void> check_options(const Session& session) const {
    const auto set = [](bool flag) { return flag ? 1 : 0; };
    const int views = set(stat_) + set(words_) + set(source_) + set(blocks_) + set(html_.has_value());
    if (views > 1)
      return Error{ErrorCode::invalid, "--stat, --words, --source, --blocks and --html exclude each other"};
    if (views > 0 && session.options.json) return Error{ErrorCode::invalid, "--json has everything: it takes no view"};
    if (since_) {
      if (names_.size() > 1) return Error{ErrorCode::invalid, "diff --since takes one pattern at most"};
      if (html_) return Error{ErrorCode::invalid, "--html is for two pages, not for --since"};
      return {};
    }
    if (names_.empty()) return Error{ErrorCode::invalid, "diff takes a URL, or two names to compare"};
    if (names_.size() > 2) return Error{ErrorCode::invalid, "diff takes two names at most"};
    const bool filtered = until_ || !filter_.host.empty() || filter_.subdomains || !where_.empty();
    if (filtered) return Error{ErrorCode::invalid, "--until, --host, --subdomains and --where go with --since"};
    return {};
  }

  DiffView view() const {
    return stat_     ? DiffView::stat
           : words_  ? DiffView::words
           : source_ ? DiffView::source
           : blocks_ ? DiffView::blocks
                     : DiffView::normal;
  }

  Result<bool> compare_two(Session& session, const Snapshot& snapshot) const {
    BA_ASSIGN(Named after, resolve_name(snapshot, names_.back(), session.now));
    std::optional<Named> before;
    if (names_.size() == 2) {
      BA_ASSIGN(before, resolve_name(snapshot, names_.front(), session.now));
    } else {
      const auto* capture = std::get_if<CaptureInfo>(&after);
      if (capture == nullptr) {
        return Error{ErrorCode::invalid,
                     fmt::format("'{}' is an object's id: name the version to compare it with", names_[0])};
      }
      BA_ASSIGN(before, version_before(snapshot, *capture));
    }
    BA_ASSIGN(const auto diff, VersionDiff::make(snapshot, *before, after, filter()));
    BA_TRY(print(session, *diff));
    return diff->any();
  }

  DiffFilter filter() const { return chosen_ ? DiffFilter{&chosen_->rules(), chosen_->options()} : DiffFilter{}; }

  Result<void> print(Session& session, VersionDiff& diff) const {
    if (session.options.json) {
      write_json_document(session.out, diff_json(diff));
    } else if (html_) {
      const std::string page = diff_page(diff);
      if (*html_ != "-") return write_output_file(*html_, page);
      session.out.write(page);
    } else {
      print_diff(session.out, diff, view());
    }
    return {};
  }

  struct Span {
    Time since;
    Time until;
  };

  Result<bool> compare_many(Session& session, const Snapshot& snapshot) {
    BA_TRY(settle_host(filter_));
    BA_ASSIGN(filter_.where, parse_where(where_));
    const std::string pattern = names_.empty() ? "" : names_[0];
    filter_.pattern = pattern.empty() || pattern.find('*') != std::string::npos ? pattern : "*" + pattern + "*";
    Span span{{}, Time::max()};
    BA_ASSIGN(span.since, resolve_time(snapshot, *since_, DateEnd::first, session.now));
    if (until_) {
      BA_ASSIGN(span.until, resolve_time(snapshot, *until_, DateEnd::last, session.now));
    }
    ManyPrinter printer(session, *this);
    Result<void> failed;
    BA_TRY(snapshot.urls(filter_, [&](const UrlSummary& url) {
      failed = compare_one(snapshot, url, span, printer);
      return failed.has_value() && session.out.ok();
    }));
    BA_TRY(failed);
    printer.finish();
    return printer.changed > 0;
  }

  // What becomes of the URLs that --since finds.
  class ManyPrinter {
   public:
    ManyPrinter(Session& session, const DiffCommand& command)
        : session_(session),
          whole_(command.view() != DiffView::normal),
          view_(command.view()),
          table_(session.out, {{.title = "CHANGED", .align = Column::Align::right},
                               {.title = "MOVED", .align = Column::Align::right},
                               {.title = "ADDED", .align = Column::Align::right},
                               {.title = "REMOVED", .align = Column::Align::right},
                               {.title = "SEEN"},
                               {.title = "URL", .cut = Column::Cut::middle}}) {}

    void add(VersionDiff& diff) {
      ++changed;
      const ChangeCounts counts = diff.pages().counts();
      if (session_.options.json) {
        return write_json_line(session_.out, {{"url", diff.after().url},
                                              {"before", side_json(diff.before())},
                                              {"after", side_json(diff.after())},
                                              {"counts", counts_json(counts)}});
      }
      if (whole_) {
        if (changed > 1) session_.out.line();
        return print_diff(session_.out, diff, view_);
      }
      const auto number = [](std::uint64_t n) { return n == 0 ? std::string() : group_digits(n); };
      table_.row({{number(counts.changed), Style::yellow},
                  {number(counts.moved + counts.moved_changed), Style::cyan},
                  {number(counts.added), Style::green},
                  {number(counts.removed), Style::red},
                  {table_.time(*diff.after().time), Style::dim},
                  {diff.after().url}});
    }

    void add_new(const CaptureInfo& capture) {
      ++changed;
      if (session_.options.json) {
        return write_json_line(
            session_.out,
            {{"url", capture.url},
             {"new", true},
             {"after", {{"time", format_rfc3339(capture.time)}, {"version", capture.version.hash.hex()}}}});
      }
      if (whole_) return session_.out.line(session_.out.styled("new", Style::green) + " " + printable(capture.url));
      table_.row({{}, {}, {"new", Style::green}, {}, {table_.time(capture.time), Style::dim}, {capture.url}});
    }

    void finish() {
      table_.finish();
      if (session_.options.json) return;
      session_.out.line(fmt::format("{} of {} changed", group_digits(changed), counted(urls, "URL", "URLs")));
    }

    std::uint64_t urls = 0;
    std::uint64_t changed = 0;

   private:
    Session& session_;
    bool whole_;
    DiffView view_;
    TextTable table_;
  };

  Result<void> compare_one(const Snapshot& snapshot, const UrlSummary& url, const Span& span,
                           ManyPrinter& printer) const {
    ++printer.urls;
    if (url.last < span.since || url.first > span.until) return {};
    BA_ASSIGN(const CaptureInfo after, snapshot.capture_at(url.number, span.until));
    if (url.first >= span.since) {
      printer.add_new(after);
      return {};
    }
    BA_ASSIGN(const CaptureInfo before, snapshot.capture_at(url.number, Time{span.since.micros - 1}));
    if (before.version == after.version) return {};
    BA_ASSIGN(const auto diff, VersionDiff::make(snapshot, before, after, filter()));
    if (!diff->any()) return {};
    printer.add(*diff);
    return {};
  }

  std::vector<std::string> names_;
  bool stat_ = false;
  bool words_ = false;
  bool source_ = false;
  bool blocks_ = false;
  std::optional<std::string> html_;
  bool exit_code_ = false;
  std::optional<std::string> since_;
  std::optional<std::string> until_;
  UrlFilter filter_;
  std::vector<std::string> where_;
  SignificanceFlags significance_;
  std::optional<ChosenSignificance> chosen_;
};

}  // namespace

std::unique_ptr<Command> make_diff_command() {
  return std::make_unique<DiffCommand>();
}

}  // namespace blockarch
