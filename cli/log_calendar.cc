#include "cli/log_calendar.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/text.h"

namespace blockarch {
namespace {

struct Square {
  std::string_view unicode;
  char ascii;
  Style style;
};
constexpr std::array<Square, kCalendarLevels> kSquares = {{{" ", ' ', Style::plain},
                                                           {"·", '.', Style::dim},
                                                           {"░", 'o', Style::green},
                                                           {"▒", 'x', Style::green},
                                                           {"▓", 'X', Style::green},
                                                           {"█", '#', Style::green}}};
constexpr std::array<std::string_view, 7> kWeekdays = {"Mon", "   ", "Wed", "   ", "Fri", "   ", "Sun"};
constexpr std::string_view kMonthNames = "JanFebMarAprMayJunJulAugSepOctNovDec";

std::string square_text(const Output& out, int level) {
  const Square& square = kSquares[static_cast<std::size_t>(level)];
  const std::string text = out.terminal().unicode ? std::string(square.unicode) : std::string(1, square.ascii);
  return out.styled(text, square.style);
}

std::string months_line(const CalendarYear& year) {
  std::string line = "    ";
  for (std::size_t month = 0; month < year.month_columns.size(); ++month) {
    const std::size_t at = 4 + year.month_columns[month];
    if (line.size() < at) line.append(at - line.size(), ' ');
    line += kMonthNames.substr(month * 3, 3);
  }
  return line;
}

void print_year(Output& out, const CalendarYear& year) {
  out.line(out.styled(fmt::format("{}", year.year), Style::bold) +
           fmt::format("  {}, {}", counted(year.captures, "capture", "captures"),
                       counted(year.changes, "change", "changes")));
  out.line(out.styled(months_line(year), Style::dim));
  for (std::size_t row = 0; row < year.weekdays.size(); ++row) {
    std::string line = out.styled(kWeekdays[row], Style::dim) + " ";
    std::string blanks;  // kept back, so that no line ends in blanks
    for (const CalendarYear::Cell& cell : year.weekdays[row]) {
      if (cell.level <= 0) {
        blanks += ' ';
        continue;
      }
      line += blanks + square_text(out, cell.level);
      blanks.clear();
    }
    out.line(line);
  }
}

}  // namespace

void print_calendar(Session& session, const ChangeCalendar& calendar) {
  Output& out = session.out;
  if (session.options.json) {
    for (const auto& [day, counts] : calendar.days())
      write_json_line(out, {{"date", date_of_day(day)}, {"captures", counts.captures}, {"changes", counts.changes}});
    return;
  }
  for (const CalendarYear& year : calendar_years(calendar)) print_year(out, year);
  const auto key = [&](int level, std::string_view says) {
    return "  " + square_text(out, level) + " " + std::string(says);
  };
  if (!calendar.days().empty())
    out.line("   " + key(1, "captured, unchanged") + key(2, "changed") + key(3, "2 or 3 times") + key(4, "4 to 7") +
             key(5, "8 or more"));
}

}  // namespace blockarch
