// Captures from a directory of files: a mirror that wget made, pages that a browser saved, or any folder with --base-url.
//
// Which URL a file stands for (docs/import.md, "Directories"):
//   with base_url   base and path
//   else            a directory that is called like a host ("example.org", also below "https" or "http:"): host and path
//                   else the note that a browser left in the saved page
//                   else, where the whole directory is called like a host: that host and path
// Where none of this tells, the file is a problem.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transfer/source.h"

namespace blockarch {

struct DirectoryOptions {
  std::string base_url;  // see transfer/path_url.h
  // Of directories that only name a host; wget does not keep the scheme.
  std::string scheme = "https";
  std::optional<Time> time;           // of every capture; none: a note's, else the file's modification time
  std::vector<std::string> patterns;  // globs over the path below the directory; none: every file
};

// Files come in the order of their paths, directory by directory; of names only those of the directories on the way to
// the current file are in memory. Links are not followed, and nothing is opened that is not a regular file.
class DirectorySource : public CaptureSource {
 public:
  // io where the directory cannot be read, invalid for a bad option.
  static Result<std::unique_ptr<DirectorySource>> open(const std::string& directory, const DirectoryOptions& options);
  ~DirectorySource() override;

  Result<std::unique_ptr<RawCapture>> next(std::vector<Problem>& problems) override;
  // In files.
  SourceProgress progress() const override;
  std::map<std::string, std::uint64_t> counts() const override;
  std::map<std::string, std::uint64_t> not_kept() const override;

  struct Impl;

 private:
  explicit DirectorySource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace blockarch
