// blockarch import: many captures at once.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/import_report.h"
#include "cli/json.h"
#include "cli/process.h"
#include "cli/session.h"
#include "cli/text.h"
#include "segment/segmenter.h"
#include "transfer/warc_source.h"

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

bool has_archive_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (const char* ending : {".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

// The archive files below a directory, in the order of their names.
Result<std::vector<std::string>> archive_files(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(directory, error);
  for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    if (it->is_regular_file(error) && has_archive_name(it->path())) files.push_back(it->path().string());
  }
  if (error) return Error{ErrorCode::io, fmt::format("cannot list {}: {}", directory, error.message())};
  std::sort(files.begin(), files.end());
  return files;
}

class ImportCommand : public Command {
 public:
  ImportCommand() : Command("import", "bring in captures from WARC, ARC and WACZ files") {
    synopsis("import PATH... [--exact] [--threads N] [--problems FILE] [--segmenter NAME] [--level N]");
    describe(
        "Reads every capture of the files named: WARC 0.17 to 1.1 and ARC, plain, gzip or zstd, and WACZ; '-' is "
        "standard input, and a directory stands for the archive files below it. What a file is is told by its "
        "content.\n\n"
        "Pages that are stored already cost an observation. A damaged record is reported with its file and offset, "
        "skipped and counted, and the import goes on; the exit code is then 3. Ctrl-C ends it after the captures that "
        "are under way; running the same command again goes on, because captures that are there already are "
        "recognised.\n\n"
        "Stored are the decoded page, the HTTP head and the fields of the record that nothing else tells. Requests, "
        "metadata and other records that are no captures are counted; --exact keeps them too, as well as record ids "
        "and the bodies as they were encoded.");
    Argument& paths = operand("PATH", &paths_, "a file, a directory, or '-'");
    paths.required = true;
    paths.kind = ValueKind::file;
    flag("--exact", exact_, "keep also what only the record itself can tell");
    flag("--no-digests", no_digests_, "do not check the digests of records");
    option("--threads", "N", &threads_, "how many threads prepare pages (one for each processor)");
    option("--problems", "FILE", &problems_, "write all problems to FILE, one JSON object a line").kind =
        ValueKind::file;
    option("--zstd-window", "LOG", &window_, "allow zstd windows up to 2^LOG bytes (27; at most 31)");
    Argument& segmenter = option("--segmenter", "NAME", &segmenter_, "what cuts the pages into blocks (auto)");
    segmenter.kind = ValueKind::choice;
    for (const std::string_view name : segmenter_names()) segmenter.choices.emplace_back(name);
    option("--level", "N", &level_, "how deep they are cut; 0 = the segmenter's own choice");
    example("import crawl.warc.gz", "one file");
    example("import crawls/", "all WARC, ARC and WACZ files of a directory");
    example("zstdcat crawl.warc.zst | blockarch import -", "a stream");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const std::vector<std::string> files, expand());
    BA_ASSIGN(Archive archive, open_archive(session));
    BA_ASSIGN(ProblemList problems, ProblemList::open(problems_));
    const auto source = make_warc_source(files, source_options(session));
    ImportLine line(session.options.no_color);
    const StopOnSignal stop;
    ImportOptions options;
    options.wait = session.options.wait();
    options.threads = static_cast<unsigned>(std::min<std::uint64_t>(threads_.value_or(0), 64));
    options.segmenter = segmenter_;
    options.level = static_cast<int>(std::min<std::uint64_t>(level_.value_or(0), 1'000'000));
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
    if (summary.stopped) {
      print_note("stopped: run the same command again to go on");
      return ExitCode::interrupted;
    }
    return summary.is_complete() ? ExitCode::done : ExitCode::partly;
  }

 private:
  Result<std::vector<std::string>> expand() const {
    std::vector<std::string> files;
    for (const std::string& path : paths_) {
      std::error_code error;
      if (path == "-" || !std::filesystem::is_directory(path, error)) {
        files.push_back(path);
        continue;
      }
      BA_ASSIGN(std::vector<std::string> found, archive_files(path));
      if (found.empty()) {
        return Error{ErrorCode::not_found, fmt::format("{} has no WARC, ARC or WACZ files in it", path)};
      }
      std::move(found.begin(), found.end(), std::back_inserter(files));
    }
    if (files.size() == 1 && files.front() != "-") {
      std::error_code error;
      if (!std::filesystem::exists(files.front(), error)) {
        return Error{ErrorCode::not_found, fmt::format("{} does not exist", files.front())};
      }
    }
    return files;
  }

  WarcSourceOptions source_options(const Session& session) const {
    WarcSourceOptions options;
    options.capture.exact = exact_;
    options.capture.check_digests = !no_digests_;
    options.spill_directory = session.options.archive_directory() + "/tmp";
    options.max_zstd_window_log = static_cast<int>(std::clamp<std::uint64_t>(window_.value_or(27), 10, 31));
    return options;
  }

  std::vector<std::string> paths_;
  bool exact_ = false;
  bool no_digests_ = false;
  std::optional<std::uint64_t> threads_;
  std::optional<std::uint64_t> window_;
  std::string problems_;
  std::string segmenter_;
  std::optional<std::uint64_t> level_;
};

}  // namespace

std::unique_ptr<Command> make_import_command() {
  return std::make_unique<ImportCommand>();
}

}  // namespace blockarch
