#include "fsck/check_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/file.h"
#include "pack/pack.h"
#include "refs/archive_format.h"
#include "refs/hot_file.h"
#include "refs/tables.h"

namespace blockarch {
namespace {

constexpr char kTemporaryDirectory[] = "tmp";
constexpr char kQuarantineDirectory[] = "quarantine";
constexpr std::string_view kLockSuffix = "-lock";
constexpr std::array<std::string_view, 7> kKnownNames = {
    kFormatFile, kCurrentFile, "lock", "upkeep.lock", kTemporaryDirectory, kPackDirectory, kQuarantineDirectory};

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<void> check_format(const std::string& directory, FindingLog& log) {
  const std::string path = directory + "/" + kFormatFile;
  const auto text = posix_files().read_file(path, kMaxFormatFile);
  if (!text && text.error().code == ErrorCode::permission) return text.error();
  if (!text) {
    log.add(findings::kFormatDamaged, text.error().message);
    return {};
  }
  const auto format = decode_archive_format(*text);
  if (format) return {};
  if (format.error().code == ErrorCode::unsupported) {
    return Error{ErrorCode::unsupported, fmt::format("{}: {}", path, format.error().message)};
  }
  log.add(findings::kFormatDamaged, fmt::format("{}: {}", path, format.error().message));
  return {};
}

void add_leftover(const std::string& path, FindingLog& log) {
  log.add(findings::kTmpLeftover, path + " was left behind by a command that was cut short");
}

Result<void> check_leftovers(const std::string& directory, FindingLog& log) {
  BA_ASSIGN(const auto info, posix_files().info(directory));
  if (!info || !info->is_directory) return {};
  BA_ASSIGN(const auto names, posix_files().list_directory(directory));
  for (const std::string& name : names) add_leftover(directory + "/" + name, log);
  return {};
}

// The generation whose tables these are, or whose lock file; 0 where it is neither.
std::uint32_t hot_generation(const std::string& name) {
  if (const std::uint32_t generation = generation_of(name)) return generation;
  if (!name.ends_with(kLockSuffix)) return 0;
  return generation_of(name.substr(0, name.size() - kLockSuffix.size()));
}

std::uint32_t newest_generation(const std::vector<std::string>& names) {
  std::uint32_t newest = 0;
  for (const std::string& name : names) newest = std::max(newest, generation_of(name));
  return newest;
}

// Which file of tables to look at. Where `current` does not say, the newest one.
Result<ArchiveFiles> find_hot(const std::string& directory, const std::vector<std::string>& names, FindingLog& log) {
  ArchiveFiles files;
  const std::uint32_t newest = newest_generation(names);
  const auto current = read_current(posix_files(), directory);
  if (!current && current.error().code == ErrorCode::permission) return current.error();
  if (current) files.generation = *current;
  const bool says = current && (contains(names, hot_file_name(*current)) || contains(names, kCurrentFile));
  if (says) {
    if (contains(names, hot_file_name(*current))) {
      files.hot = hot_file_name(*current);
      return files;
    }
  } else if (newest != 0) {
    files.hot = hot_file_name(newest);
    log.add(findings::kCurrentDamaged,
            fmt::format("{}/{} {}; looking at {}, the newest file of tables", directory, kCurrentFile,
                        current ? "is missing" : "does not name a file of tables", *files.hot));
    return files;
  }
  log.add(findings::kHotMissing, fmt::format("{}/{} is missing, and with it all that is not in packs", directory,
                                             hot_file_name(says ? *current : 1)));
  return files;
}

void check_names(const std::string& directory, const std::vector<std::string>& names, const ArchiveFiles& files,
                 FindingLog& log) {
  const std::uint32_t counts = files.hot ? generation_of(*files.hot) : 0;
  for (const std::string& name : names) {
    if (std::find(kKnownNames.begin(), kKnownNames.end(), name) != kKnownNames.end()) continue;
    const std::uint32_t generation = hot_generation(name);
    if (generation != 0 && (generation == counts || counts == 0)) continue;
    if (generation != 0) {
      add_leftover(directory + "/" + name, log);
    } else {
      log.add(findings::kFileUnknown, fmt::format("{}/{} is no file of an archive", directory, name));
    }
  }
}

}  // namespace

Result<ArchiveFiles> check_files(const std::string& directory, FindingLog& log) {
  BA_ASSIGN(const auto info, posix_files().info(directory));
  if (!info) return Error{ErrorCode::no_archive, fmt::format("{} does not exist", directory)};
  if (!info->is_directory) {
    return Error{ErrorCode::no_archive, fmt::format("{} is not a directory, so it cannot be an archive", directory)};
  }
  BA_ASSIGN(const auto names, posix_files().list_directory(directory));
  if (!contains(names, kFormatFile) && newest_generation(names) == 0) {
    return Error{ErrorCode::no_archive,
                 fmt::format("{} is not an archive: it holds neither {} nor {}", directory, kFormatFile, kHotFile)};
  }
  BA_TRY(check_format(directory, log));
  BA_ASSIGN(const ArchiveFiles files, find_hot(directory, names, log));
  check_names(directory, names, files, log);
  BA_TRY(check_leftovers(directory + "/" + kTemporaryDirectory, log));
  return files;
}

Result<void> check_pack_files(const std::string& directory, const std::vector<std::string>& listed, FindingLog& log) {
  const std::string packs = directory + "/" + kPackDirectory;
  BA_ASSIGN(const auto info, posix_files().info(packs));
  if (!info || !info->is_directory) return {};
  BA_ASSIGN(const auto names, posix_files().list_directory(packs));
  for (const std::string& name : names) {
    if (contains(listed, name)) continue;
    const std::string path = packs + "/" + name;
    if (name.ends_with(kPackSuffix)) {
      log.add(findings::kPackUnlisted, path + " is named by no table");
    } else if (name.ends_with(".tmp")) {
      add_leftover(path, log);
    } else {
      log.add(findings::kFileUnknown, path + " is no file of an archive");
    }
  }
  return {};
}

}  // namespace blockarch
