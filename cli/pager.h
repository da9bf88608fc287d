// A pager between a long answer and the person who reads it.
#pragma once

#include <sys/types.h>

#include "cli/session.h"

namespace blockarch {

// While it lives, what goes to standard output is shown by the pager: BLOCKARCH_PAGER, else PAGER, else less where it is
// installed. Does nothing unless standard output is a terminal, with --json, and where the pager is empty or "cat". Ends
// when the reader leaves the pager.
class Pager {
 public:
  explicit Pager(Session& session, bool wanted = true);
  ~Pager();
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

 private:
  Session& session_;
  pid_t child_ = -1;
  int terminal_ = -1;  // standard output as it was
};

}  // namespace blockarch
