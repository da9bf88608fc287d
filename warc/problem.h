// What is wrong with an archive file, as opposed to what is wrong with the machine (base/result.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace blockarch {

enum class ProblemKind {
  // A record, or bytes that should be one, did not come through:
  damaged,      // the bytes cannot be decoded or parsed; the reader went on at the next record
  truncated,    // the file or member ends inside a record
  too_large,    // over a limit: a head, a body, a compression ratio
  unsupported,  // a version or kind of file that we do not read
  unsafe_name,  // a WACZ entry whose name climbs out of the file
  // The record came through without what the problem is about:
  bad_date,
  bad_url,
  bad_header,  // a header line that is none, a field twice or with a value that cannot be
  bad_digest,  // a digest that does not fit its bytes, or that nobody can read
  bad_http,    // the HTTP message or one of its encodings
};

// "damaged", "too-large": for JSON and tables.
std::string_view problem_name(ProblemKind kind);
// True where a record was lost, false where it was delivered.
bool loses_record(ProblemKind kind);

struct Problem {
  ProblemKind kind = ProblemKind::damaged;
  std::string file;          // as in ArchiveRecord::source
  std::uint64_t offset = 0;  // as in ArchiveRecord::offset
  std::string message;       // one line without a final dot; names neither file nor offset
};

using ProblemSink = std::function<void(const Problem&)>;

// "FILE at OFFSET: MESSAGE".
std::string describe(const Problem& problem);

}  // namespace blockarch
