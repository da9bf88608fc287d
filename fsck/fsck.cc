#include "fsck/fsck.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/file.h"
#include "fsck/check_files.h"
#include "fsck/inspection.h"
#include "fsck/lmdb_pages.h"

namespace blockarch {
namespace {

constexpr char kLockFile[] = "lock";
constexpr std::chrono::seconds kLockWait{60};

PageCheckOptions page_options(const FsckOptions& options) {
  PageCheckOptions pages;
  if (options.progress) {
    pages.progress = [&options](std::uint64_t done, std::uint64_t total) { options.progress("file", done, total); };
  }
  return pages;
}

// The file is read beside a possible writer. It leaves a state alone while it writes the next two, so problems count
// unless more was written meanwhile; then we look again, in the end while writers wait. Problems are looked at twice in
// any case: the two meta pages may have been read at different moments.
Result<PageReport> check_pages_of(const std::string& directory, const std::string& path, const FsckOptions& options) {
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    BA_ASSIGN(PageReport report, check_lmdb_pages(path, page_options(options)));
    if (report.problems.empty()) return report;
    BA_ASSIGN(const std::uint64_t now, newest_transaction(path));
    const bool left_alone = now == report.transaction || now == report.transaction + 1;
    if (i > 0 && left_alone) return report;
  }
  BA_ASSIGN(const FileLock lock, FileLock::acquire(directory + "/" + kLockFile, kLockWait));
  return check_lmdb_pages(path, page_options(options));
}

// False where hot.mdb must not be opened.
bool report_pages(const PageReport& pages, const std::string& path, FindingLog& log) {
  for (const PageProblem& problem : pages.problems) {
    log.add(findings::kHotPageDamaged, fmt::format("{}: page {}: {}", path, problem.page, problem.message));
  }
  if (!pages.problems.empty()) return false;
  if (pages.leaked_pages > 0) {
    log.add(findings::kHotPageLeaked, fmt::format("{}: {} pages of {} bytes are neither used nor free", path,
                                                  pages.leaked_pages, pages.page_size));
  }
  bool complete = true;
  const auto expected = table_names();
  const auto has = [](const auto& all, const auto& one) { return std::find(all.begin(), all.end(), one) != all.end(); };
  for (const std::string& name : expected) {
    if (has(pages.tables, name)) continue;
    log.add(findings::kTableMissing, fmt::format("{} lacks the table {}", path, name));
    complete = false;
  }
  const auto later = later_table_names();
  for (const std::string& name : pages.tables) {
    if (!has(expected, name) && !has(later, name))
      log.add(findings::kTableUnknown, fmt::format("{} has an unknown table '{}'", path, name));
  }
  return complete;
}

Result<void> inspect(const std::string& path, const FsckOptions& options, FindingLog& log, FsckReport& report) {
  LmdbOptions lmdb_options;
  lmdb_options.read_only = true;
  lmdb_options.tables = table_names();
  lmdb_options.later_tables = later_table_names();
  BA_ASSIGN(const Lmdb lmdb, Lmdb::open(path, lmdb_options));
  const Tables tables = find_tables(lmdb);
  BA_ASSIGN(const ReadTransaction transaction, lmdb.read());
  Inspection inspection{.transaction = transaction, .tables = tables, .options = options, .log = log, .report = report};
  BA_TRY(check_objects(inspection));
  BA_TRY(check_versions(inspection));
  if (options.full) BA_TRY(check_pages(inspection));
  BA_TRY(check_urls(inspection));
  BA_TRY(check_histories(inspection));
  BA_TRY(check_payload_index(inspection));
  BA_TRY(check_tags(inspection));
  BA_TRY(check_settings(inspection));
  return report_consequences(inspection);
}

Result<void> check_hot(const std::string& directory, const FsckOptions& options, FindingLog& log, FsckReport& report) {
  const std::string path = directory + "/" + kHotFile;
  auto pages = check_pages_of(directory, path, options);
  if (!pages) {
    if (pages.error().code == ErrorCode::not_found) return {};  // said already
    if (pages.error().code != ErrorCode::corrupt) return pages.error();
    log.add(findings::kHotPageDamaged, pages.error().message);
    return {};
  }
  if (!report_pages(*pages, path, log)) return {};
  const auto inspected = inspect(path, options, log, report);
  if (inspected || inspected.error().code != ErrorCode::corrupt) return inspected;
  log.add(findings::kHotPageDamaged, inspected.error().message);
  return {};
}

}  // namespace

bool FsckReport::clean() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::notice; });
}

Result<FsckReport> check_archive(const std::string& directory, const FsckOptions& options) {
  FindingLog log;
  FsckReport report;
  BA_TRY(check_files(directory, log));
  BA_TRY(check_hot(directory, options, log, report));
  report.findings = log.take();
  return report;
}

}  // namespace blockarch
