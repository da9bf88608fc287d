// `cat --batch`: names in, line by line; bytes out.
#pragma once

#include "cli/session.h"

namespace blockarch {

// Answers standard input until it ends:
//   ID KIND SIZE LF bytes LF     what the name stands for
//   NAME missing LF              nothing, or no name at all
//   NAME damaged LF              it is there but cannot be read back; the reason goes to standard error
// Every answer is flushed before the next name is read. `damaged` where anything was.
Result<ExitCode> answer_batch(const Archive& archive, Session& session, bool raw);

}  // namespace blockarch
