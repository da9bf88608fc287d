// Names that people and programs write for what is in an archive:
//   URL            the newest capture          URL@DATE   the last capture at or before the date (a bare date: its end)
//   URL~N          N versions back             URL@DATE~N both
//   hex digits     an object by its id, at least four digits
// A URL may contain '@' and '~' itself: a date follows the last '@', and what does not read as one belongs to the URL.
// A tag's name may stand for a date.
#pragma once

#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/time.h"
#include "engine/snapshot.h"

namespace blockarch {

using Named = std::variant<CaptureInfo, ObjectId>;

// invalid where the text is no name at all, not_found where it names nothing here.
Result<Named> resolve_name(const Snapshot& snapshot, std::string_view text, Time reference);

// A date as `--at` takes it: any form of parse_time, or a tag.
Result<Time> resolve_time(const Snapshot& snapshot, std::string_view text, DateEnd end, Time reference);

}  // namespace blockarch
