// Captures from a git repository that holds pages: what git scrapers and Open Terms Archive have. Every commit that adds
// or changes a file is a capture of it at the commit's time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "transfer/source.h"

namespace blockarch {

struct GitOptions {
  // Where paths are put, see transfer/path_url.h. Empty: the URL stands in the message of the commit, which then must
  // change one file only.
  std::string base_url;
  std::string branch;                 // or tag or commit; empty: what HEAD names
  bool committer_time = false;        // else the author's
  bool all_parents = false;           // also what was merged, commit by commit; else the first parents only
  std::vector<std::string> patterns;  // globs over the path; none: every file
};

// Commits come oldest first. With first parents only, what a merge brought is captured at the merge; with all parents it is
// captured where it was made, and a merge brings only what none of its parents has. Memory is 20 bytes a commit and the
// trees on the way to the current file. Symbolic links, submodules and deletions are counted.
class GitSource : public CaptureSource {
 public:
  // io where the path cannot be read; invalid where it is no git repository or has no commits, and for a bad option.
  static Result<std::unique_ptr<GitSource>> open(const std::string& repository, const GitOptions& options);
  ~GitSource() override;

  Result<std::unique_ptr<RawCapture>> next(std::vector<Problem>& problems) override;
  // In commits.
  SourceProgress progress() const override;
  std::map<std::string, std::uint64_t> counts() const override;
  std::map<std::string, std::uint64_t> not_kept() const override;

  struct Impl;

 private:
  explicit GitSource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The first http or https URL in a commit's message, empty where there is none.
std::string url_in_message(std::string_view message);

}  // namespace blockarch
