#include "fsck/check_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/file.h"
#include "refs/archive_format.h"
#include "refs/tables.h"

namespace blockarch {
namespace {

constexpr char kTemporaryDirectory[] = "tmp";
constexpr std::array<std::string_view, 6> kKnownNames = {kFormatFile,         "lock", kHotFile, "hot.mdb-lock",
                                                         kTemporaryDirectory, "packs"};

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

Result<void> check_leftovers(const std::string& directory, FindingLog& log) {
  BA_ASSIGN(const auto info, posix_files().info(directory));
  if (!info || !info->is_directory) return {};
  BA_ASSIGN(const auto names, posix_files().list_directory(directory));
  for (const std::string& name : names) {
    log.add(findings::kTmpLeftover,
            fmt::format("{}/{} was left behind by a command that was cut short", directory, name));
  }
  return {};
}

}  // namespace

Result<void> check_files(const std::string& directory, FindingLog& log) {
  BA_ASSIGN(const auto info, posix_files().info(directory));
  if (!info) return Error{ErrorCode::no_archive, fmt::format("{} does not exist", directory)};
  if (!info->is_directory) {
    return Error{ErrorCode::no_archive, fmt::format("{} is not a directory, so it cannot be an archive", directory)};
  }
  BA_ASSIGN(const auto names, posix_files().list_directory(directory));
  const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (!has(kFormatFile) && !has(kHotFile)) {
    return Error{ErrorCode::no_archive,
                 fmt::format("{} is not an archive: it holds neither {} nor {}", directory, kFormatFile, kHotFile)};
  }
  BA_TRY(check_format(directory, log));
  if (!has(kHotFile)) {
    log.add(findings::kHotMissing,
            fmt::format("{}/{} is missing, and with it all that is not in packs", directory, kHotFile));
  }
  for (const std::string& name : names) {
    if (std::find(kKnownNames.begin(), kKnownNames.end(), name) != kKnownNames.end()) continue;
    log.add(findings::kFileUnknown, fmt::format("{}/{} is no file of an archive", directory, name));
  }
  return check_leftovers(directory + "/" + kTemporaryDirectory, log);
}

}  // namespace blockarch
