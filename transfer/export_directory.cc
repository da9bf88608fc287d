#include "transfer/export_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "base/file.h"

namespace blockarch {
namespace fs = std::filesystem;

Result<ExportDirectory> ExportDirectory::create(const std::string& path) {
  std::error_code error;
  fs::path target = fs::path(path).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  if (!target.has_filename() || target.filename() == "." || target.filename() == "..") {
    return Error{ErrorCode::invalid, fmt::format("'{}' is not a name for a new directory", path)};
  }
  const bool is_there = fs::exists(fs::symlink_status(target, error));
  if (is_there && !(fs::is_directory(fs::symlink_status(target, error)) && fs::is_empty(target, error))) {
    return Error{ErrorCode::invalid, fmt::format("{} is not an empty directory: name a new one", path)};
  }
  const std::string name = fmt::format(".{}.{}.tmp", target.filename().string().substr(0, 200), ::getpid());
  const std::string temporary = (target.parent_path() / name).string();
  fs::remove_all(temporary, error);  // of a process that had this id before
  fs::create_directory(temporary, error);
  if (error) {
    Error reason = system_error(error.value(), "make a directory for", path);
    if (reason.code == ErrorCode::not_found) reason.code = ErrorCode::io;  // it means the archive
    return reason;
  }
  return ExportDirectory(target.string(), temporary);
}

ExportDirectory::ExportDirectory(ExportDirectory&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})) {}

ExportDirectory::~ExportDirectory() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

Result<void> ExportDirectory::finish() {
  // Over an empty directory this is one step; over anything else it fails.
  BA_TRY(posix_files().rename(temporary_, target_));
  temporary_.clear();
  return {};
}

}  // namespace blockarch
