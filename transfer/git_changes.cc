#include "transfer/git_changes.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "transfer/git_library.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxDepth = 256;

GitId id_of(const git_tree_entry& entry) {
  GitId id;
  std::memcpy(id.data(), git_tree_entry_id(&entry)->id, id.size());
  return id;
}

bool is_tree(const git_tree_entry* entry) {
  return entry && git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE;
}

GitChange::Kind kind_of(const git_tree_entry& entry) {
  switch (git_tree_entry_filemode(&entry)) {
    case GIT_FILEMODE_LINK:
      return GitChange::Kind::link;
    case GIT_FILEMODE_COMMIT:
      return GitChange::Kind::submodule;
    default:
      return GitChange::Kind::file;
  }
}

// The same content; whether a file may be executed does not matter.
bool is_same(const git_tree_entry& a, const git_tree_entry& b) {
  return is_tree(&a) == is_tree(&b) && kind_of(a) == kind_of(b) && id_of(a) == id_of(b);
}

}  // namespace

GitChanges::GitChanges(git_repository* repository, Git<git_tree> before, Git<git_tree> after)
    : repository_(repository) {
  Frame frame;
  frame.before = std::move(before);
  frame.after = std::move(after);
  frames_.push_back(std::move(frame));
}

bool GitChanges::next(GitChange& change, std::vector<std::string>& problems) {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.after && frame.next_after < git_tree_entrycount(frame.after.get())) {
      if (step_after(frame, change, problems)) return true;
    } else if (frame.before && frame.next_before < git_tree_entrycount(frame.before.get())) {
      if (step_before(frame, change, problems)) return true;
    } else {
      frames_.pop_back();
    }
  }
  return false;
}

// enter() may move the frame: nothing of it is used afterwards.
bool GitChanges::step_after(Frame& frame, GitChange& change, std::vector<std::string>& problems) {
  const git_tree_entry* entry = git_tree_entry_byindex(frame.after.get(), frame.next_after++);
  const char* name = git_tree_entry_name(entry);
  const git_tree_entry* old = frame.before ? git_tree_entry_byname(frame.before.get(), name) : nullptr;
  if (old && is_same(*old, *entry)) return false;
  const std::string path = frame.prefix + name;
  const GitId id = id_of(*entry);
  const std::optional<GitId> old_tree = is_tree(old) ? std::optional<GitId>(id_of(*old)) : std::nullopt;
  const GitId* old_tree_id = old_tree ? &*old_tree : nullptr;
  if (is_tree(entry)) {
    const bool replaces_file = old && !old_tree;
    enter(old_tree_id, &id, path + "/", problems);
    if (replaces_file) change = {GitChange::Kind::deleted, path, {}};
    return replaces_file;
  }
  change = {kind_of(*entry), path, id};
  if (old_tree) enter(old_tree_id, nullptr, path + "/", problems);
  return true;
}

bool GitChanges::step_before(Frame& frame, GitChange& change, std::vector<std::string>& problems) {
  const git_tree_entry* entry = git_tree_entry_byindex(frame.before.get(), frame.next_before++);
  const char* name = git_tree_entry_name(entry);
  if (frame.after && git_tree_entry_byname(frame.after.get(), name)) return false;
  const std::string path = frame.prefix + name;
  if (!is_tree(entry)) {
    change = {GitChange::Kind::deleted, path, {}};
    return true;
  }
  const GitId id = id_of(*entry);
  enter(&id, nullptr, path + "/", problems);
  return false;
}

void GitChanges::enter(const GitId* before, const GitId* after, std::string prefix,
                       std::vector<std::string>& problems) {
  if (frames_.size() >= kMaxDepth) {
    problems.push_back(fmt::format("directory {} is over {} levels deep", prefix, kMaxDepth));
    return;
  }
  Frame frame;
  if (before) frame.before = find_tree(repository_, *before);
  if (after) frame.after = find_tree(repository_, *after);
  if (after && !frame.after) {
    problems.push_back(fmt::format("directory {} cannot be read: {}", prefix, git_reason()));
    return;
  }
  frame.prefix = std::move(prefix);
  frames_.push_back(std::move(frame));
}

}  // namespace blockarch
