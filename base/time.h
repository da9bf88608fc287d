// Instants in UTC, to the microsecond, and every way people write them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace blockarch {

// Microseconds since 1970-01-01T00:00:00Z, without leap seconds. The years 0000 to 9999 can be read and
// written.
struct Time {
  std::int64_t micros = 0;

  auto operator<=>(const Time&) const = default;

  // A second outside the years 0000 to 9999 gives the nearer end of them.
  static Time from_seconds(std::int64_t s);
  static Time min();  // 0000-01-01T00:00:00Z
  static Time max();  // 9999-12-31T23:59:59.999999Z
};

Time now();

// An imprecise date ("2024", "2024-05", "20240501", "2024-05-01") is a span; this says which end is meant.
enum class DateEnd { first, last };

// Reads ISO 8601 / RFC 3339 (with zone or without = UTC; `T` or a space; any fraction, cut to microseconds;
// date only, month only, year only), `@unix` seconds (with a fraction), web-archive timestamps of 1–14 digits
// (padded low or high by `end`; 1–3 digits are the beginning of a year), and relative forms: `now`, `today`,
// `yesterday`, `3 days ago`, `2h ago`, `1 week ago` (second, minute, hour, day, week, month, year, in the
// usual spellings; `m` is a minute, `mo` a month). Letters in either case, blanks around the text ignored.
//
// - A web-archive timestamp of 14 digits is the span of its second, because whoever wrote it cut a fraction
//   off: `last` is .999999. ISO to the second and `@unix` are that instant; ISO to the minute or hour is a
//   span.
// - `today` and `yesterday` are the span of a UTC day, the other relative forms an instant. Months and years
//   keep the day of the month, or take the last one of a shorter month.
// - Second 60 is read as 59.999999 where leap seconds are put (the last second of a month, UTC), else
//   refused. Hour 24 is refused.
//
// `reference` is what relative forms count from. Error `invalid` names the text and lists the accepted forms.
Result<Time> parse_time(std::string_view text, DateEnd end, Time reference);

// Both write a time outside the years 0000 to 9999 as the nearer end of them.
// 2024-05-01T12:30:00Z, with a fraction only where there is one.
std::string format_rfc3339(Time t);
// 20240501123000; fractions are cut.
std::string format_timestamp14(Time t);

}  // namespace blockarch
