#include "fsck/fsck.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/file.h"
#include "fsck/check_files.h"
#include "fsck/inspection.h"
#include "fsck/lmdb_pages.h"
#include "refs/hot_file.h"

namespace blockarch {
namespace {

constexpr char kLockFile[] = "lock";
constexpr char kUpkeepLockFile[] = "upkeep.lock";
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

// What packing and collecting change under a check: the file of tables, and the packs that it names.
struct Generation {
  std::uint32_t hot = 0;
  std::vector<Hash256> packs;
  bool operator==(const Generation&) const = default;
};

struct Look {
  Result<void> outcome;
  FsckReport report;
  Generation seen;
};

LmdbOptions reading() {
  LmdbOptions options;
  options.read_only = true;
  options.tables = table_names();
  options.later_tables = later_table_names();
  return options;
}

Result<void> inspect(const std::string& directory, const std::string& path, const FsckOptions& options, FindingLog& log,
                     Look& look) {
  BA_ASSIGN(const Lmdb lmdb, Lmdb::open(path, reading()));
  const Tables tables = find_tables(lmdb);
  BA_ASSIGN(const ReadTransaction transaction, lmdb.read());
  BA_ASSIGN(look.seen.packs, listed_packs(transaction, tables, log));
  look.report.packs = look.seen.packs.size();
  BA_ASSIGN(PackStates packs, open_packs(directory, look.seen.packs, log));
  Inspection inspection{.lmdb = lmdb,
                        .transaction = transaction,
                        .tables = tables,
                        .options = options,
                        .log = log,
                        .report = look.report,
                        .packs = std::move(packs)};
  BA_TRY(check_packs(inspection));
  if (options.full) BA_TRY(check_packed_contents(inspection));
  BA_TRY(check_objects(inspection));
  BA_TRY(check_recipes(inspection));
  BA_TRY(check_versions(inspection));
  if (options.full || options.sample > 0) {
    BA_TRY(check_pages(inspection));
    BA_TRY(check_packed_pages(inspection));
  }
  BA_TRY(check_urls(inspection));
  BA_TRY(check_histories(inspection));
  BA_TRY(check_payload_index(inspection));
  BA_TRY(check_tags(inspection));
  BA_TRY(check_settings(inspection));
  return report_consequences(inspection);
}

Result<void> check_hot(const std::string& directory, const std::string& name, const FsckOptions& options,
                       FindingLog& log, Look& look) {
  const std::string path = directory + "/" + name;
  auto pages = check_pages_of(directory, path, options);
  if (!pages) {
    if (pages.error().code != ErrorCode::corrupt) return pages.error();
    log.add(findings::kHotPageDamaged, pages.error().message);
    return {};
  }
  if (!report_pages(*pages, path, log)) return {};
  const auto inspected = inspect(directory, path, options, log, look);
  if (inspected || inspected.error().code != ErrorCode::corrupt) return inspected;
  log.add(findings::kHotPageDamaged, inspected.error().message);
  return {};
}

Look look_once(const std::string& directory, const FsckOptions& options) {
  Look look;
  FindingLog log;
  const auto files = check_files(directory, log);
  if (!files) {
    look.outcome = files.error();
  } else {
    look.seen.hot = files->generation;
    if (files->hot) look.outcome = check_hot(directory, *files->hot, options, log, look);
  }
  look.report.findings = log.take();
  return look;
}

// As far as it can be told.
Generation generation_now(const std::string& directory) {
  Generation now;
  const auto hot = read_current(posix_files(), directory);
  if (!hot) return now;
  now.hot = *hot;
  const std::string path = directory + "/" + hot_file_name(*hot);
  const auto pages = check_lmdb_pages(path);
  FindingLog unused;
  if (!pages || !report_pages(*pages, path, unused)) return now;
  const auto lmdb = Lmdb::open(path, reading());
  const auto transaction = lmdb ? lmdb->read() : Result<ReadTransaction>(lmdb.error());
  if (!transaction) return now;
  if (auto packs = listed_packs(*transaction, find_tables(*lmdb), unused)) now.packs = std::move(*packs);
  return now;
}

// A file that has just been replaced is not found.
bool may_be_moving(ErrorCode code) {
  return code == ErrorCode::not_found || code == ErrorCode::corrupt || code == ErrorCode::io;
}

}  // namespace

bool FsckReport::clean() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::notice; });
}

// Packing and collecting put files in the place of others while the check reads them. So where something looks wrong and
// the archive has moved on meanwhile, the check begins anew; in the end it holds such work back.
Result<FsckReport> check_archive(const std::string& directory, const FsckOptions& options) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    Look look = look_once(directory, options);
    if (look.outcome && look.report.clean()) return std::move(look.report);
    if (!look.outcome && !may_be_moving(look.outcome.error().code)) return look.outcome.error();
    if (generation_now(directory) == look.seen) {
      BA_TRY(look.outcome);
      return std::move(look.report);
    }
  }
  BA_ASSIGN(const FileLock lock, FileLock::acquire(directory + "/" + kUpkeepLockFile, kLockWait));
  Look look = look_once(directory, options);
  BA_TRY(look.outcome);
  return std::move(look.report);
}

}  // namespace blockarch
