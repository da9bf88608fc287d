// The files of a branch as git's trees, one change at a time: a change writes the trees on the way to the root and
// nothing else, each as its difference from the one before.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "transfer/export_git_pack.h"

namespace blockarch {

class GitTree {
 public:
  GitTree();
  GitTree(GitTree&&) noexcept;
  GitTree& operator=(GitTree&&) noexcept;
  ~GitTree();

  // Puts a blob at "a/b/c.html" and writes the trees that change. Returns the root. A name is never a file and a
  // directory at once, which the caller sees to.
  Result<GitId> set(GitPackWriter& pack, std::string_view path, const GitId& blob);

 private:
  struct Directory;
  std::unique_ptr<Directory> root_;
};

}  // namespace blockarch
