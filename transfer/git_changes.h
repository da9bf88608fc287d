// What differs between two trees of a git repository, file by file and lazily. Private to transfer/.
#pragma once

#include <string>
#include <vector>

#include "transfer/git_repository.h"

namespace blockarch {

struct GitChange {
  enum class Kind { file, link, submodule, deleted };  // what it is now
  Kind kind = Kind::file;
  std::string path;
  GitId id = {};  // of a file: its blob
};

class GitChanges {
 public:
  // Either tree may be null: everything is new, or everything is gone.
  GitChanges(git_repository* repository, Git<git_tree> before, Git<git_tree> after);

  // False at the end. A tree that cannot be read or that is too deep goes to `problems`, one line each, and is left out.
  bool next(GitChange& change, std::vector<std::string>& problems);

 private:
  struct Frame {
    Git<git_tree> before;
    Git<git_tree> after;
    std::string prefix;
    std::size_t next_after = 0;
    std::size_t next_before = 0;
  };

  bool step_after(Frame& frame, GitChange& change, std::vector<std::string>& problems);
  bool step_before(Frame& frame, GitChange& change, std::vector<std::string>& problems);
  void enter(const GitId* before, const GitId* after, std::string prefix, std::vector<std::string>& problems);

  git_repository* repository_;
  std::vector<Frame> frames_;
};

}  // namespace blockarch
