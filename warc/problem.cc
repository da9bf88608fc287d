#include "warc/problem.h"

#include <fmt/format.h>

namespace blockarch {

std::string_view problem_name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::damaged:
      return "damaged";
    case ProblemKind::truncated:
      return "truncated";
    case ProblemKind::too_large:
      return "too-large";
    case ProblemKind::unsupported:
      return "unsupported";
    case ProblemKind::unsafe_name:
      return "unsafe-name";
    case ProblemKind::bad_date:
      return "bad-date";
    case ProblemKind::bad_url:
      return "bad-url";
    case ProblemKind::bad_header:
      return "bad-header";
    case ProblemKind::bad_digest:
      return "bad-digest";
    case ProblemKind::bad_http:
      return "bad-http";
  }
  return "unknown";
}

bool loses_record(ProblemKind kind) {
  return kind <= ProblemKind::unsafe_name;
}

std::string describe(const Problem& problem) {
  return fmt::format("{} at {}: {}", problem.file, problem.offset, problem.message);
}

}  // namespace blockarch
