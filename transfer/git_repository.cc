#include "transfer/git_repository.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "transfer/git_library.h"

namespace blockarch {
namespace {

git_oid oid_of(const GitId& id) {
  git_oid oid;
  std::memcpy(oid.id, id.data(), id.size());
  return oid;
}

GitId id_of(const git_oid& oid) {
  GitId id;
  std::memcpy(id.data(), oid.id, id.size());
  return id;
}

Error no_commits(const std::string& path) {
  return {ErrorCode::invalid, fmt::format("git repository {} has no commits", path)};
}

std::string branch_names(git_repository* repository) {
  constexpr std::size_t kShown = 5;
  git_branch_iterator* iterator = nullptr;
  if (git_branch_iterator_new(&iterator, repository, GIT_BRANCH_ALL) != 0) return {};
  std::string names;
  git_reference* next = nullptr;
  git_branch_t type{};
  std::size_t count = 0;
  while (git_branch_next(&next, &type, iterator) == 0) {
    const Git<git_reference> reference(next);
    const char* name = nullptr;
    if (git_branch_name(&name, next) == 0 && ++count <= kShown)
      names += (names.empty() ? "" : ", ") + std::string(name);
  }
  git_branch_iterator_free(iterator);
  if (count > kShown) names += ", …";
  return names;
}

Result<GitId> find_tip(git_repository* repository, const std::string& path, const std::string& branch) {
  git_object* found = nullptr;
  const int error = git_revparse_single(&found, repository, branch.empty() ? "HEAD" : branch.c_str());
  const Git<git_object> object(found);
  if (error == 0) {
    git_object* peeled = nullptr;
    if (git_object_peel(&peeled, found, GIT_OBJECT_COMMIT) == 0) {
      const Git<git_object> commit(peeled);
      return id_of(*git_object_id(peeled));
    }
    return Error{ErrorCode::invalid, fmt::format("'{}' of git repository {} is no commit", branch, path)};
  }
  const std::string names = branch_names(repository);
  if (names.empty()) return no_commits(path);
  return Error{ErrorCode::invalid, fmt::format("git repository {} has no branch '{}'; it has {}", path,
                                               branch.empty() ? "HEAD" : branch, names)};
}

// Not by libgit2's walk, which keeps far more than an id for each commit.
Result<CommitList> first_parents(git_repository* repository, const std::string& path, GitId id) {
  CommitList list;
  for (std::optional<GitId> at = id; at;) {
    const Git<git_commit> commit = find_commit(repository, *at);
    if (!commit) {
      if (list.ids.empty()) {
        return Error{ErrorCode::corrupt, fmt::format("git repository {}: {}", path, git_reason())};
      }
      if (git_repository_is_shallow(repository) == 0) list.missing = *at;
      break;
    }
    list.ids.push_back(*at);
    const git_oid* parent = git_commit_parent_id(commit.get(), 0);
    at = parent ? std::optional<GitId>(id_of(*parent)) : std::nullopt;
  }
  std::reverse(list.ids.begin(), list.ids.end());
  return list;
}

Result<CommitList> every_parent(git_repository* repository, const std::string& path, const GitId& tip) {
  // libgit2 1.5 does not know where a shallow clone was cut, and its walk fails at the first commit that is missing.
  if (git_repository_is_shallow(repository) == 1) {
    return Error{
        ErrorCode::invalid,
        fmt::format("git repository {} is shallow and lacks commits: only its first parents can be read", path)};
  }
  git_revwalk* made = nullptr;
  const git_oid oid = oid_of(tip);
  const int error = git_revwalk_new(&made, repository);
  const Git<git_revwalk> walk(made);
  if (error != 0 || git_revwalk_sorting(made, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME | GIT_SORT_REVERSE) != 0 ||
      git_revwalk_push(made, &oid) != 0) {
    return Error{ErrorCode::corrupt, fmt::format("git repository {}: {}", path, git_reason())};
  }
  CommitList list;
  git_oid next;
  int more = 0;
  while ((more = git_revwalk_next(&next, made)) == 0) list.ids.push_back(id_of(next));
  if (more != GIT_ITEROVER) {
    return Error{ErrorCode::corrupt, fmt::format("git repository {} lacks commits: {}", path, git_reason())};
  }
  return list;
}

}  // namespace

void FreeGit::operator()(git_commit* p) const {
  git_commit_free(p);
}
void FreeGit::operator()(git_object* p) const {
  git_object_free(p);
}
void FreeGit::operator()(git_odb* p) const {
  git_odb_free(p);
}
void FreeGit::operator()(git_reference* p) const {
  git_reference_free(p);
}
void FreeGit::operator()(git_repository* p) const {
  git_repository_free(p);
}
void FreeGit::operator()(git_revwalk* p) const {
  git_revwalk_free(p);
}
void FreeGit::operator()(git_tree* p) const {
  git_tree_free(p);
}

std::string short_hex(const GitId& id) {
  return to_hex(ByteView(reinterpret_cast<const char*>(id.data()), 6));
}

std::string git_reason() {
  const git_error* error = git_error_last();
  std::string reason = error && error->message ? error->message : "libgit2 gives no reason";
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason;
}

Result<Git<git_repository>> open_repository(const std::string& path) {
  BA_TRY(load_git_library());
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return Error{ErrorCode::io, fmt::format("cannot open {}: {}", path, std::strerror(errno))};
  }
  git_repository* opened = nullptr;
  const int error = git_repository_open_ext(&opened, path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  Git<git_repository> repository(opened);
  if (error == 0) return repository;
  if (error == GIT_ENOTFOUND) return Error{ErrorCode::invalid, fmt::format("{} is not a git repository", path)};
  return Error{ErrorCode::invalid, fmt::format("git repository {} cannot be opened: {}", path, git_reason())};
}

Result<Git<git_repository>> RepositoryPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Git<git_repository> repository = std::move(idle_.back());
      idle_.pop_back();
      return repository;
    }
  }
  return open_repository(path_);
}

void RepositoryPool::give_back(Git<git_repository> repository) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(repository));
}

Result<Bytes> RepositoryPool::read_blob(const GitId& id, std::uint64_t limit) {
  BA_ASSIGN(Git<git_repository> repository, take());
  const git_oid oid = oid_of(id);
  BA_ASSIGN(Git<git_odb> odb, open_objects(repository.get(), path_));
  Result<Bytes> bytes = Error{ErrorCode::corrupt, ""};
  git_blob* blob = nullptr;
  const std::uint64_t size = object_size(odb.get(), id);
  if (size > limit) {
    bytes = Error{ErrorCode::too_large, fmt::format("{} bytes: at most {} can be kept", size, limit)};
  } else if (git_blob_lookup(&blob, repository.get(), &oid) == 0) {
    bytes = Bytes(static_cast<const char*>(git_blob_rawcontent(blob)), git_blob_rawsize(blob));
    git_blob_free(blob);
  } else {
    bytes = Error{ErrorCode::corrupt, git_reason()};
  }
  odb.reset();
  give_back(std::move(repository));
  return bytes;
}

Result<CommitList> list_commits(git_repository* repository, const std::string& path, const std::string& branch,
                                bool all_parents) {
  if (branch.empty() && git_repository_is_empty(repository) == 1) return no_commits(path);
  BA_ASSIGN(const GitId tip, find_tip(repository, path, branch));
  return all_parents ? every_parent(repository, path, tip) : first_parents(repository, path, tip);
}

Result<Git<git_odb>> open_objects(git_repository* repository, const std::string& path) {
  git_odb* odb = nullptr;
  if (git_repository_odb(&odb, repository) == 0) return Git<git_odb>(odb);
  return Error{ErrorCode::corrupt, fmt::format("git repository {}: {}", path, git_reason())};
}

std::uint64_t object_size(git_odb* odb, const GitId& id) {
  const git_oid oid = oid_of(id);
  std::size_t size = 0;
  git_object_t type{};
  return git_odb_read_header(&size, &type, odb, &oid) == 0 ? size : 0;
}

Git<git_commit> find_commit(git_repository* repository, const GitId& id) {
  const git_oid oid = oid_of(id);
  git_commit* found = nullptr;
  return git_commit_lookup(&found, repository, &oid) == 0 ? Git<git_commit>(found) : nullptr;
}

Git<git_tree> find_tree(git_repository* repository, const GitId& id) {
  const git_oid oid = oid_of(id);
  git_tree* found = nullptr;
  return git_tree_lookup(&found, repository, &oid) == 0 ? Git<git_tree>(found) : nullptr;
}

}  // namespace blockarch
