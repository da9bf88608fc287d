#include "history/calendar.h"

#include <catch2/catch_test_macros.hpp>

namespace blockarch {
namespace {

Time at(const char* text) {
  return parse_time(text, DateEnd::first, Time()).value();
}

}  // namespace

TEST_CASE("captures and changes are counted by day") {
  ChangeCalendar calendar;
  calendar.add(at("2024-05-01T00:00:00Z"), true);
  calendar.add(at("2024-05-01T23:59:59Z"), false);
  calendar.add(at("2024-05-02"), false);
  REQUIRE(calendar.days().size() == 2);
  const auto& [day, counts] = *calendar.days().begin();
  CHECK(date_of_day(day) == "2024-05-01");
  CHECK(counts.captures == 2);
  CHECK(counts.changes == 1);
}

TEST_CASE("days before 1970 are days too") {
  ChangeCalendar calendar;
  calendar.add(at("1969-12-31T12:00:00Z"), true);
  calendar.add(at("1970-01-01"), true);
  CHECK(calendar.days().size() == 2);
  CHECK(date_of_day(calendar.days().begin()->first) == "1969-12-31");
}

TEST_CASE("a year has all its days, at their weekday and week") {
  ChangeCalendar calendar;
  calendar.add(at("2024-02-29"), true);  // a Thursday
  calendar.add(at("2026-12-31"), false);
  const auto years = calendar_years(calendar);
  REQUIRE(years.size() == 2);
  CHECK(years[0].year == 2024);
  CHECK(years[0].changes == 1);
  int days = 0;
  int changed = 0;
  for (std::size_t row = 0; row < 7; ++row) {
    for (const auto& cell : years[0].weekdays[row]) {
      if (cell.level >= 0) ++days;
      if (cell.level != 2) continue;
      ++changed;
      CHECK(row == 3);
      CHECK(date_of_day(cell.day) == "2024-02-29");
    }
  }
  CHECK(days == 366);
  CHECK(changed == 1);
  CHECK(years[0].month_columns.size() == 12);
  CHECK(years[1].weekdays[3].back().level == 1);
}

TEST_CASE("more changes are a darker square") {
  CHECK(calendar_level({0, 0}) == 0);
  CHECK(calendar_level({5, 0}) == 1);
  CHECK(calendar_level({5, 1}) == 2);
  CHECK(calendar_level({5, 3}) == 3);
  CHECK(calendar_level({5, 5}) == 4);
  CHECK(calendar_level({90, 80}) == 5);
}

TEST_CASE("the picture stands alone and its title cannot break it") {
  ChangeCalendar calendar;
  calendar.add(at("2024-05-01"), true);
  const std::string svg = calendar_svg(calendar, "https://example.com/?a=<b>&\x01");
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(svg.find("?a=&lt;b&gt;&amp; </text>") != std::string::npos);
  CHECK(svg.find("2024-05-01: 1 captures, 1 changes") != std::string::npos);
  CHECK(calendar_svg({}, "").starts_with("<svg"));
}

}  // namespace blockarch
