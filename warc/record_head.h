// The heads of WARC and ARC records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/time.h"
#include "warc/problem.h"
#include "warc/record.h"

namespace blockarch {

struct RecordHead {
  ArchiveRecord record;                 // without body and place
  std::optional<std::uint64_t> length;  // of the block; nothing where it is missing or no number
  struct Defect {
    ProblemKind kind;
    std::string message;
  };
  std::vector<Defect> defects;
};

// "WARC/" digits "." digits and the end of the line. `bytes` may be cut after the line.
bool is_warc_version_line(ByteView bytes);

// From the version line up to and with the empty line. Never fails: what cannot be read is a defect. A version that we do
// not read is a defect of kind `unsupported`.
RecordHead parse_warc_head(ByteView head);

// WARC-Date: RFC 3339 or a beginning of it ("2016-01"), or 14 digits as some converters write it.
std::optional<Time> parse_warc_date(std::string_view text);

// The first record of an ARC file says which columns the others have.
struct ArcFormat {
  std::string version = "ARC/1.0";
  std::size_t columns = 5;  // or 10: version 2
};

// One line "URL IP date type length", without its end. A URL may have blanks inside, so columns count from the right.
bool looks_like_arc_line(std::string_view line);
RecordHead parse_arc_line(std::string_view line, const ArcFormat& format);
// The block of the "filedesc:" record.
ArcFormat parse_arc_format(ByteView block);

}  // namespace blockarch
