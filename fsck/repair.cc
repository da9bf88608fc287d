#include "fsck/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "fsck/finding_kinds.h"
#include "fsck/lmdb_pages.h"
#include "fsck/repairing.h"
#include "refs/archive_format.h"
#include "refs/hot_file.h"

namespace blockarch {
namespace {

FsckOptions check_options(const RepairOptions& options, bool full) {
  FsckOptions check;
  check.full = full;
  check.progress = options.progress;
  return check;
}

// Files of tables whose pages are sound.
Result<std::vector<std::uint32_t>> sound_generations(const std::string& directory) {
  std::vector<std::uint32_t> sound;
  BA_ASSIGN(const auto names, posix_files().list_directory(directory));
  for (const std::string& name : names) {
    const std::uint32_t generation = generation_of(name);
    if (generation == 0) continue;
    const auto pages = check_lmdb_pages(directory + "/" + name);
    if (!pages || !pages->problems.empty()) continue;
    const auto expected = table_names();
    const bool complete = std::all_of(expected.begin(), expected.end(), [&](const std::string& table) {
      return std::find(pages->tables.begin(), pages->tables.end(), table) != pages->tables.end();
    });
    if (complete) sound.push_back(generation);
  }
  return sound;
}

Result<void> repair_format(Repairing& repair) {
  const std::string path = repair.directory + "/" + kFormatFile;
  const auto text = posix_files().read_file(path, kMaxFormatFile);
  if (!text && text.error().code == ErrorCode::permission) return text.error();
  const auto format = text ? decode_archive_format(*text) : Result<ArchiveFormat>(text.error());
  if (format) return {};
  if (format.error().code == ErrorCode::unsupported) return format.error();
  BA_TRY(replace_file(posix_files(), path, path + ".tmp", encode_archive_format()));
  repair.actions.push_back(path + " written anew");
  return {};
}

// The file of tables that counts, or 0 where none can be used.
Result<std::uint32_t> repair_current(Repairing& repair) {
  BA_ASSIGN(const auto sound, sound_generations(repair.directory));
  const auto current = read_current(posix_files(), repair.directory);
  if (!current && current.error().code == ErrorCode::permission) return current.error();
  if (current && std::find(sound.begin(), sound.end(), *current) != sound.end()) return *current;
  const bool named_is_there = current && std::filesystem::exists(repair.directory + "/" + hot_file_name(*current));
  if (sound.size() != 1 || named_is_there) return std::uint32_t{0};
  const std::string path = repair.directory + "/" + kCurrentFile;
  BA_TRY(write_current(posix_files(), repair.directory, path + ".tmp", sound.front()));
  repair.actions.push_back(fmt::format("{} names {} again", path, hot_file_name(sound.front())));
  return sound.front();
}

Result<OpenTables> open_tables(const std::string& path) {
  LmdbOptions options;
  options.tables = table_names();
  options.later_tables = later_table_names();
  BA_ASSIGN(Lmdb lmdb, Lmdb::open(path, options));
  const Tables tables = find_tables(lmdb);
  return OpenTables{std::move(lmdb), tables};
}

// Without tables nothing says which URL showed what and when; packs still hold the pages.
Result<void> advise_without_tables(Repairing& repair) {
  repair.report.advice.push_back(fmt::format(
      "the tables of {} cannot be read: restore the file that {} names from a copy. Nothing else says which "
      "URL showed which page and when",
      repair.directory, kCurrentFile));
  const std::string packs = repair.directory + "/" + kPackDirectory;
  BA_ASSIGN(const auto info, posix_files().info(packs));
  if (!info) return {};
  BA_ASSIGN(const auto names, posix_files().list_directory(packs));
  const auto cache = std::make_shared<FrameCache>(1 << 20);
  for (const std::string& name : names) {
    if (!name.ends_with(kPackSuffix)) continue;
    const auto pack = Pack::open(posix_files(), packs + "/" + name, cache);
    if (!pack) {
      repair.report.advice.push_back(pack.error().message);
      continue;
    }
    const PackDirectory& directory = (*pack)->directory();
    repair.report.advice.push_back(fmt::format("{}/{} holds {} versions, {} metadata and {} blocks and layouts{}",
                                               packs, name, directory.versions, directory.metadata, directory.contents,
                                               (*pack)->check_trailer() ? "" : ", and is damaged in places"));
  }
  return {};
}

bool is_loss(const Finding& finding) {
  static const std::set<std::string_view> kLosses = {
      findings::kVersionUnreadable.id,      findings::kMetadataUnreadable.id,
      findings::kHistoryDamaged.id,         findings::kUrlRecordDamaged.id,
      findings::kUrlRecordMissing.id,       findings::kUrlWithoutHistory.id,
      findings::kHistoryUrlMissing.id,      findings::kHistoryVersionMissing.id,
      findings::kHistoryMetadataMissing.id, findings::kTagDamaged.id,
      findings::kSettingDamaged.id,         findings::kRemovedDamaged.id,
      findings::kHotPageDamaged.id,         findings::kHotMissing.id,
      findings::kTableMissing.id,           findings::kTableUnknown.id};
  return kLosses.contains(finding.id);
}

Result<void> finish(Repairing& repair) {
  BA_ASSIGN(repair.report.after, check_archive(repair.directory, check_options(repair.options, true)));
  for (const Finding& finding : repair.report.after.findings) {
    if (is_loss(finding)) repair.report.lost.push_back(finding);
  }
  return {};
}

Result<void> repair_tables(Repairing& repair, OpenTables& open) {
  BA_ASSIGN(const FsckReport before, check_archive(repair.directory, check_options(repair.options, false)));
  BA_TRY(repair_packs(repair, open, before));
  BA_TRY(repair_objects(repair, open));
  BA_TRY(rebuild_url_keys(repair, open));
  BA_TRY(rebuild_payload_index(repair, open));
  BA_TRY(finish(repair));
  if (!repair.options.drop_lost || repair.report.after.clean()) return {};
  BA_TRY(empty_incomplete_packs(repair, open, repair.report.after));
  BA_TRY(drop_lost_captures(repair, open, repair.report.after));
  BA_TRY(rebuild_payload_index(repair, open));
  BA_ASSIGN(repair.report.after, check_archive(repair.directory, check_options(repair.options, true)));
  return {};
}

}  // namespace

Result<void> quarantine_file(const Repairing& repair, const std::string& name) {
  const std::string directory = repair.directory + "/" + kQuarantineDirectory;
  BA_TRY(posix_files().make_directory(directory));
  const std::filesystem::path from = repair.directory + "/" + name;
  // Garbage collection empties quarantine/ of files that end as packs do.
  const std::string to = directory + "/" + from.filename().string() + ".damaged";
  std::error_code problem;
  if (!std::filesystem::exists(to, problem)) std::filesystem::create_hard_link(from, to, problem);
  if (problem) std::filesystem::copy_file(from, to, problem);
  if (problem)
    return Error{ErrorCode::io, fmt::format("cannot copy {} to {}: {}", from.string(), to, problem.message())};
  BA_TRY(posix_files().sync_directory(directory));
  return posix_files().sync_directory(repair.directory);
}

Result<void> quarantine_bytes(const Repairing& repair, const std::string& name, ByteView bytes) {
  const std::string directory = repair.directory + "/" + kQuarantineDirectory;
  BA_TRY(posix_files().make_directory(directory));
  constexpr std::size_t kLongName = 200;
  BA_TRY(posix_files().write_file(directory + "/" + name.substr(0, kLongName), bytes));
  BA_TRY(posix_files().sync_directory(directory));
  return posix_files().sync_directory(repair.directory);
}

Result<RepairReport> repair_archive(const std::string& directory, const RepairOptions& options) {
  // Says where there is no archive, or a newer one, before anything is touched.
  BA_TRY(check_archive(directory));
  BA_ASSIGN(const FileLock upkeep, FileLock::acquire(directory + "/upkeep.lock", options.wait));
  BA_ASSIGN(const FileLock writer, FileLock::acquire(directory + "/lock", options.wait));
  RepairReport report;
  Repairing repair{directory, options, report};
  BA_TRY(repair_format(repair));
  BA_ASSIGN(const std::uint32_t generation, repair_current(repair));
  if (generation == 0) {
    BA_TRY(advise_without_tables(repair));
    BA_TRY(finish(repair));
    return report;
  }
  BA_ASSIGN(OpenTables open, open_tables(directory + "/" + hot_file_name(generation)));
  BA_TRY(repair_tables(repair, open));
  return report;
}

}  // namespace blockarch
