// A year in squares: on which days a URL was captured, and on which it had changed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.h"

namespace blockarch {

struct CalendarDay {
  std::uint64_t captures = 0;
  std::uint64_t changes = 0;
};

class ChangeCalendar {
 public:
  void add(Time capture, bool changed);

  // Days since 1970-01-01, those with captures.
  const std::map<std::int64_t, CalendarDay>& days() const { return days_; }

 private:
  std::map<std::int64_t, CalendarDay> days_;
};

// "2024-05-01"
std::string date_of_day(std::int64_t day);

// 0 = no capture, 1 = captured and unchanged, 2 to 5 = 1, 2 to 3, 4 to 7, 8 or more changes.
inline constexpr int kCalendarLevels = 6;
int calendar_level(const CalendarDay& day);

// A year as rows of weekdays, Monday first, and columns of weeks; -1 where the year has no such day.
struct CalendarYear {
  int year = 0;
  std::uint64_t captures = 0;
  std::uint64_t changes = 0;
  struct Cell {
    std::int64_t day = -1;
    int level = -1;
  };
  std::vector<std::vector<Cell>> weekdays;  // 7 rows, all of the same length
  std::vector<std::size_t> month_columns;   // of the twelve firsts
};

// The years with captures, in order.
std::vector<CalendarYear> calendar_years(const ChangeCalendar& calendar);

// A picture that stands alone, with the date and the counts of each day as its tooltip.
std::string calendar_svg(const ChangeCalendar& calendar, const std::string& title);

}  // namespace blockarch
