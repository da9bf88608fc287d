// libgit2 with owners and errors. Private to transfer/.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

struct git_commit;
struct git_object;
struct git_odb;
struct git_reference;
struct git_repository;
struct git_revwalk;
struct git_tree;

namespace blockarch {

struct FreeGit {
  void operator()(git_commit* p) const;
  void operator()(git_object* p) const;
  void operator()(git_odb* p) const;
  void operator()(git_reference* p) const;
  void operator()(git_repository* p) const;
  void operator()(git_revwalk* p) const;
  void operator()(git_tree* p) const;
};
template <typename T>
using Git = std::unique_ptr<T, FreeGit>;

using GitId = std::array<unsigned char, 20>;

// "1a2b3c4d5e6f".
std::string short_hex(const GitId& id);

// Why the last call of libgit2 in this thread failed; one line.
std::string git_reason();

// io, or invalid where there is no repository at the path.
Result<Git<git_repository>> open_repository(const std::string& path);

// A handle belongs to one thread at a time; a pool opens as many as are in use at once.
class RepositoryPool {
 public:
  explicit RepositoryPool(std::string path) : path_(std::move(path)) {}

  // too_large over `limit`; corrupt with git's reason where it cannot be read.
  Result<Bytes> read_blob(const GitId& id, std::uint64_t limit);

 private:
  Result<Git<git_repository>> take();
  void give_back(Git<git_repository> repository);

  const std::string path_;
  std::mutex mutex_;
  std::vector<Git<git_repository>> idle_;
};

// The commits behind a branch, tag or commit ("" = HEAD), oldest first. Where a commit's parent is missing (a shallow
// clone, a damaged repository) history begins there; `missing` names the commit unless the repository is shallow.
struct CommitList {
  std::vector<GitId> ids;
  std::optional<GitId> missing;
};
Result<CommitList> list_commits(git_repository* repository, const std::string& path, const std::string& branch,
                                bool all_parents);

// Of an object, without reading it; 0 where it is not there.
std::uint64_t object_size(git_odb* odb, const GitId& id);
Result<Git<git_odb>> open_objects(git_repository* repository, const std::string& path);

Git<git_commit> find_commit(git_repository* repository, const GitId& id);
Git<git_tree> find_tree(git_repository* repository, const GitId& id);

}  // namespace blockarch
