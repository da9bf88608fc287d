#include "cli/import_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "transfer/directory_source.h"
#include "transfer/git_source.h"
#include "transfer/warc_source.h"

namespace blockarch {
namespace {

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
    std::error_code ignored;
    if (it->is_regular_file(ignored) && has_archive_name(it->path())) files.push_back(it->path().string());
  }
  if (error) return Error{ErrorCode::io, fmt::format("cannot list {}: {}", directory, error.message())};
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::unique_ptr<CaptureSource>> open_git(const ImportSourceOptions& options) {
  if (options.paths.size() != 1) return Error{ErrorCode::invalid, "--git takes one repository"};
  GitOptions git;
  git.base_url = options.base_url;
  git.branch = options.branch;
  git.committer_time = options.committer_time;
  git.all_parents = options.all_parents;
  git.patterns = options.patterns;
  BA_ASSIGN(auto source, GitSource::open(options.paths.front(), git));
  return std::unique_ptr<CaptureSource>(std::move(source));
}

Result<std::unique_ptr<CaptureSource>> open_saved_pages(const ImportSourceOptions& options) {
  if (options.paths.size() != 1) {
    return Error{ErrorCode::invalid, "a directory of saved pages is imported by itself: name one at a time"};
  }
  DirectoryOptions directory;
  directory.base_url = options.base_url;
  directory.patterns = options.patterns;
  directory.time = options.time;
  directory.scheme = options.scheme;
  BA_ASSIGN(auto source, DirectorySource::open(options.paths.front(), directory));
  return std::unique_ptr<CaptureSource>(std::move(source));
}

std::unique_ptr<CaptureSource> open_archives(std::vector<std::string> files, const ImportSourceOptions& options) {
  WarcSourceOptions warc;
  warc.capture.exact = options.exact;
  warc.capture.check_digests = options.check_digests;
  warc.spill_directory = options.spill_directory;
  warc.max_zstd_window_log = static_cast<int>(std::clamp<std::uint64_t>(options.zstd_window, 10, 31));
  return make_warc_source(std::move(files), warc);
}

}  // namespace

Result<std::unique_ptr<CaptureSource>> open_import_source(const ImportSourceOptions& options) {
  if (options.git) return open_git(options);
  std::vector<std::string> files;
  for (const std::string& path : options.paths) {
    std::error_code error;
    const auto status = path == "-" ? std::filesystem::file_status() : std::filesystem::status(path, error);
    if (path != "-" && !std::filesystem::exists(status)) {
      return Error{ErrorCode::not_found, fmt::format("{} does not exist", path)};
    }
    if (path == "-" || !std::filesystem::is_directory(status)) {
      files.push_back(path);
      continue;
    }
    BA_ASSIGN(std::vector<std::string> found, archive_files(path));
    if (found.empty()) return open_saved_pages(options);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  return open_archives(std::move(files), options);
}

}  // namespace blockarch
