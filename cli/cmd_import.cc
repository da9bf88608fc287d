// blockarch import: many captures at once.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/import_report.h"
#include "cli/import_source.h"
#include "cli/json.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/rules.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/pack_archive.h"
#include "history/levels.h"
#include "segment/segmenter.h"

namespace blockarch {
namespace {

constexpr std::uint64_t kMaxShown = 50;  // problems, unless they go to a file

// Problems as they come: on standard error, or all of them in a file, one JSON object a line.
class ProblemList {
 public:
  static Result<ProblemList> open(const std::string& path) {
    ProblemList list;
    if (path.empty()) return list;
    list.file_.reset(std::fopen(path.c_str(), "w"));
    if (!list.file_) return Error{ErrorCode::io, fmt::format("cannot write {}", path)};
    return list;
  }

  void add(const Problem& problem) {
    ++count_;
    if (file_) {
      const nlohmann::json line = {{"kind", std::string(problem_name(problem.kind))},
                                   {"file", problem.file},
                                   {"offset", problem.offset},
                                   {"message", problem.message}};
      std::fprintf(file_.get(), "%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    } else if (count_ <= kMaxShown) {
      print_warning(printable(describe(problem)));
    }
  }

  void finish() {
    if (!file_ && count_ > kMaxShown) {
      print_warning(fmt::format("{} more problems; --problems FILE lists all", group_digits(count_ - kMaxShown)));
    }
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t count_ = 0;
};

class ImportCommand : public Command {
 public:
  ImportCommand() : Command("import", "bring in captures from WARC files, saved pages and git repositories") {
    synopsis(
        "import PATH... [--rules FILE] [--problems FILE] [--threads N] [--segmenter NAME] [--level N] [--profile P] "
        "[--no-pack]");
    synopsis("import FILE... [--exact] [--no-digests] [--zstd-window LOG]");
    synopsis("import DIRECTORY [--base-url URL] [--scheme S] [--time T] [--only GLOB]...");
    synopsis(
        "import --git REPOSITORY [--base-url URL] [--branch NAME] [--only GLOB]... [--all-parents] [--committer-time]");
    describe(
        "Reads every capture of the files named: WARC 0.17 to 1.1 and ARC, plain, gzip or zstd, and WACZ; '-' is "
        "standard input, and a directory stands for the archive files below it. What a file is is told by its "
        "content. A directory without such files is taken for saved pages: a mirror that wget made, pages that a "
        "browser "
        "saved, or, with --base-url, any folder. With --git it is a git repository, and every commit that changes a "
        "file is a capture of it.\n\n"
        "Pages that are stored already cost an observation. A damaged record is reported with its file and offset, "
        "skipped and counted, and the import goes on; the exit code is then 3. Ctrl-C ends it after the captures that "
        "are under way; running the same command again goes on, because captures that are there already are "
        "recognised.\n\n"
        "Stored are the decoded page, the HTTP head and the fields of the record that nothing else tells. Requests, "
        "metadata and other records that are no captures are counted; --exact keeps them too, as well as record ids "
        "and the bodies as they were encoded.");
    Argument& paths = operand("PATH", &from_.paths, "a file, a directory, a repository, or '-'");
    paths.required = true;
    paths.kind = ValueKind::file;
    option("--rules", "FILE", &rules_, "what else to note about captures, by rules (docs/metadata-rules.md)").kind =
        ValueKind::file;
    option("--problems", "FILE", &problems_, "write all problems to FILE, one JSON object a line").kind =
        ValueKind::file;
    option("--threads", "N", &threads_, "how many threads prepare pages (one for each processor)");
    Argument& segmenter = option("--segmenter", "NAME", &segmenter_, "what cuts the pages into blocks (auto)");
    segmenter.kind = ValueKind::choice;
    for (const std::string_view name : segmenter_names()) segmenter.choices.emplace_back(name);
    option("--level", "N", &level_, "how deep they are cut; 0 = the segmenter's own choice");
    option("--profile", "P", &profile_, "a variant of the segmenter");
    flag("--no-pack", no_pack_, "leave what came in as it is; 'blockarch pack' packs it later");
    flag("--learnt-level", learnt_level_, "cut the pages of each URL as 'levels --learn' found best");
    flag("--exact", from_.exact, "keep also what only the record itself can tell");
    flag("--no-digests", no_digests_, "do not check the digests of records");
    option("--zstd-window", "LOG", &window_, "allow zstd windows up to 2^LOG bytes (27; at most 31)");
    option("--base-url", "URL", &from_.base_url, "where the files of a directory or repository are put");
    option("--only", "GLOB", &from_.patterns, "only files whose path matches; may be given more than once");
    option("--scheme", "S", &from_.scheme, "of directories that only name a host (https)");
    option("-t,--time", "T", &time_, "when the pages of a directory were captured; else their own dates");
    flag("--git", from_.git, "PATH is a git repository");
    option("--branch", "NAME", &from_.branch, "the branch, tag or commit to read (HEAD)");
    flag("--all-parents", from_.all_parents, "also what was merged, commit by commit");
    flag("--committer-time", from_.committer_time, "the committer's time, not the author's");
    example("import crawl.warc.gz", "one file");
    example("import crawls/", "all WARC, ARC and WACZ files of a directory");
    example("import mirror/ --time 2024-05-01", "what wget --mirror left");
    example("import --git snapshots --base-url https://example.org/", "every version in a git repository");
  }

  Result<ExitCode> run(Session& session) override {
    if (time_) {
      BA_ASSIGN(from_.time, parse_time(*time_, DateEnd::first, session.now));
    }
    from_.check_digests = !no_digests_;
    from_.zstd_window = window_.value_or(27);
    from_.spill_directory = session.options.archive_directory() + "/tmp";
    std::optional<MetadataRules> rules;
    if (rules_) {
      BA_ASSIGN(rules, read_rules(*rules_));
    }
    BA_ASSIGN(const auto source, open_import_source(from_));
    BA_ASSIGN(Archive archive, open_archive(session));
    BA_ASSIGN(ProblemList problems, ProblemList::open(problems_));
    ImportLine line(session.options.no_color);
    const StopOnSignal stop;
    ImportOptions options;
    options.wait = session.options.wait();
    options.threads = static_cast<unsigned>(std::min<std::uint64_t>(threads_.value_or(0), 64));
    options.rules = rules ? &*rules : nullptr;
    options.segmenter = segmenter_;
    options.profile = profile_;
    options.level = static_cast<int>(std::min<std::uint64_t>(level_.value_or(0), 1'000'000));
    LevelBook book;
    if (learnt_level_) {
      BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
      BA_ASSIGN(book, LevelBook::open(snapshot));
      options.choose_cut = [&](CaptureRequest& request) { book.apply(request); };
    }
    if (no_pack_) options.pack_at = 0;
    options.stop = &stop.flag();
    options.on_problem = [&](const Problem& problem) {
      line.finish();
      problems.add(problem);
    };
    options.on_progress = [&](const ImportProgress& now) { line.update(now); };
    BA_ASSIGN(const ImportSummary summary, import_captures(archive, *source, options));
    line.finish();
    problems.finish();
    if (session.options.json) {
      write_json_document(session.out, import_summary_json(summary));
    } else {
      print_import_summary(session.out, summary);
    }
    if (summary.records.empty() && summary.problems == 0) {
      print_warning(fmt::format("nothing to import was found in {}", fmt::join(from_.paths, ", ")));
    }
    if (summary.stopped) {
      print_note("stopped: run the same command again to go on");
      return ExitCode::interrupted;
    }
    if (!no_pack_) BA_TRY(pack_what_came(session, archive, stop));
    return summary.is_complete() ? ExitCode::done : ExitCode::partly;
  }

 private:
  // Many captures are packed at once, a few wait for more. Whoever packs already does it for us.
  static Result<void> pack_what_came(Session& session, Archive& archive, const StopOnSignal& stop) {
    BA_ASSIGN(const PackNeed need, pack_need(archive));
    if (!need.worth) return {};
    Progress progress(session.options.no_color);
    PackOptions options;
    options.all = need.all;
    options.wait = session.options.wait();
    options.stop = &stop.flag();
    options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
      progress.update("packing", done, total);
    };
    const auto packed = pack_archive(archive, options);
    progress.finish();
    if (!packed && packed.error().code == ErrorCode::locked) {
      print_note("not packed: " + packed.error().message);
      return {};
    }
    if (!packed) return packed.error();
    if (!session.options.json && packed->pack_bytes > 0) {
      session.out.line(fmt::format("packed: archive {} → {}", human_size(packed->bytes_before),
                                   session.out.styled(human_size(packed->bytes_after), Style::bold)));
    }
    return {};
  }

  ImportSourceOptions from_;
  bool no_pack_ = false;
  bool no_digests_ = false;
  std::optional<std::uint64_t> threads_;
  std::optional<std::uint64_t> window_;
  std::optional<std::string> rules_;
  std::optional<std::string> time_;
  std::string problems_;
  std::string segmenter_;
  std::optional<std::uint64_t> level_;
  std::string profile_;
  bool learnt_level_ = false;
};

}  // namespace

std::unique_ptr<Command> make_import_command() {
  return std::make_unique<ImportCommand>();
}

}  // namespace blockarch
