#include "history/calendar.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace blockarch {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, kCalendarLevels> kColours = {"#f0f0f0", "#d8e2dc", "#9be9a8",
                                                                    "#40c463", "#30a14e", "#216e39"};

std::chrono::sys_days as_days(std::int64_t day) {
  return std::chrono::sys_days(std::chrono::days(day));
}

std::int64_t day_of(std::chrono::sys_days days) {
  return days.time_since_epoch().count();
}

int year_of(std::int64_t day) {
  return static_cast<int>(std::chrono::year_month_day(as_days(day)).year());
}

// Monday = 0.
std::size_t weekday_of(std::int64_t day) {
  return std::chrono::weekday(as_days(day)).iso_encoding() - 1;
}

void append_escaped(std::string& to, std::string_view text) {
  for (const char c : text) {
    if (c == '&')
      to += "&amp;";
    else if (c == '<')
      to += "&lt;";
    else if (c == '>')
      to += "&gt;";
    else if (static_cast<unsigned char>(c) < 0x20)
      to += ' ';
    else
      to += c;
  }
}

CalendarYear empty_year(int number) {
  using std::chrono::January, std::chrono::December;
  CalendarYear year;
  year.year = number;
  const std::int64_t first = day_of(std::chrono::year(number) / January / 1);
  const std::int64_t last = day_of(std::chrono::year(number) / December / 31);
  const std::size_t offset = weekday_of(first);
  const auto column = [&](std::int64_t day) { return (static_cast<std::size_t>(day - first) + offset) / 7; };
  year.weekdays.assign(7, std::vector<CalendarYear::Cell>(column(last) + 1));
  for (std::int64_t day = first; day <= last; ++day) year.weekdays[weekday_of(day)][column(day)] = {day, 0};
  for (unsigned month = 1; month <= 12; ++month)
    year.month_columns.push_back(column(day_of(std::chrono::year(number) / std::chrono::month(month) / 1)));
  return year;
}

}  // namespace

void ChangeCalendar::add(Time capture, bool changed) {
  constexpr std::int64_t kDay = 86'400'000'000;
  // Rounded down, before 1970 too.
  const std::int64_t day = capture.micros / kDay - (capture.micros % kDay < 0 ? 1 : 0);
  CalendarDay& counts = days_[day];
  ++counts.captures;
  if (changed) ++counts.changes;
}

std::string date_of_day(std::int64_t day) {
  const std::chrono::year_month_day date(as_days(day));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

int calendar_level(const CalendarDay& day) {
  if (day.captures == 0) return 0;
  if (day.changes == 0) return 1;
  return day.changes == 1 ? 2 : day.changes < 4 ? 3 : day.changes < 8 ? 4 : 5;
}

std::vector<CalendarYear> calendar_years(const ChangeCalendar& calendar) {
  std::vector<CalendarYear> years;
  for (const auto& [day, counts] : calendar.days()) {
    const int number = year_of(day);
    if (years.empty() || years.back().year != number) years.push_back(empty_year(number));
    CalendarYear& year = years.back();
    year.captures += counts.captures;
    year.changes += counts.changes;
    for (CalendarYear::Cell& cell : year.weekdays[weekday_of(day)])
      if (cell.day == day && cell.level >= 0) cell.level = calendar_level(counts);
  }
  return years;
}

std::string calendar_svg(const ChangeCalendar& calendar, const std::string& title) {
  constexpr std::size_t kStep = 13;
  constexpr std::size_t kLeft = 40;
  constexpr std::size_t kTop = 34;
  constexpr std::size_t kYearHeight = 7 * kStep + 40;
  const auto years = calendar_years(calendar);
  std::string body;
  std::size_t top = kTop;
  for (const CalendarYear& year : years) {
    body += fmt::format("<text x=\"{}\" y=\"{}\">{}: {} captures, {} changes</text>\n", kLeft, top, year.year,
                        year.captures, year.changes);
    for (std::size_t m = 0; m < year.month_columns.size(); ++m)
      body += fmt::format("<text class=\"s\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft + year.month_columns[m] * kStep,
                          top + 14, kMonths[m]);
    for (std::size_t row = 0; row < 7; ++row) {
      for (std::size_t column = 0; column < year.weekdays[row].size(); ++column) {
        const CalendarYear::Cell& cell = year.weekdays[row][column];
        if (cell.level < 0) continue;
        const auto found = calendar.days().find(cell.day);
        const CalendarDay counts = found == calendar.days().end() ? CalendarDay() : found->second;
        body += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"11\" height=\"11\" rx=\"2\" fill=\"{}\"><title>{}: {} captures, {} changes"
            "</title></rect>\n",
            kLeft + column * kStep, top + 18 + row * kStep, kColours[static_cast<std::size_t>(cell.level)],
            date_of_day(cell.day), counts.captures, counts.changes);
      }
    }
    top += kYearHeight;
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<style>.s {{ font-size: 9px; fill: #666 }}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{2}\" y=\"16\" font-weight=\"bold\">",
      kLeft + 54 * kStep + 8, top, kLeft);
  append_escaped(svg, title);
  return svg + "</text>\n" + body + "</svg>\n";
}

}  // namespace blockarch
