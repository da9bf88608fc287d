// log --calendar: a year in squares, on the terminal, as JSON or as a picture.
#pragma once

#include "cli/session.h"
#include "history/calendar.h"

namespace blockarch {

// The years one below the other; with --json an object for each day with captures.
void print_calendar(Session& session, const ChangeCalendar& calendar);

}  // namespace blockarch
