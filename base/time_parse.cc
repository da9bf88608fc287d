// parse_time: every form is first cut into six fields of digits (year to second), of which any tail may be
// missing and the last one present may be only begun, and the fields are then resolved to an instant in one
// place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <optional>

#include "base/time.h"

namespace blockarch {
namespace {

namespace chr = std::chrono;

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::size_t kMaxText = 100;  // longer than anything we can read
constexpr std::string_view kBlanks = " \t\r\n";

// The reason alone; parse_time adds the text and the accepted forms.
Error because(std::string reason) {
  return {ErrorCode::invalid, std::move(reason)};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool all_digits(std::string_view s) {
  for (char c : s)
    if (!is_digit(c)) return false;
  return !s.empty();
}

Result<Time> in_range(std::int64_t micros) {
  const Time t{micros};
  if (t < Time::min() || t > Time::max()) return because("it is outside the years 0000 to 9999");
  return t;
}

// --- fields to an instant ---

enum Field : std::size_t { kYear, kMonth, kDay, kHour, kMinute, kSecond, kFields };

struct FieldRule {
  std::string_view name;
  std::size_t width;
  int low, high;
};
constexpr std::array<FieldRule, kFields> kRules{{{"year", 4, 0, 9999},
                                                 {"month", 2, 1, 12},
                                                 {"day", 2, 1, 31},
                                                 {"hour", 2, 0, 23},
                                                 {"minute", 2, 0, 59},
                                                 {"second", 2, 0, 59}}};

struct Fields {
  std::array<std::string_view, kFields> digits;
  // Set where the second is an instant rather than a span.
  std::optional<int> micros;
  std::int64_t zone_minutes = 0;
};

// The first or last value from `low` to `high` whose `width` digits begin with `digits`.
std::optional<int> pick(std::string_view digits, std::size_t width, int low, int high, DateEnd end) {
  int value = 0;
  int room = 1;
  for (std::size_t i = 0; i < width; ++i) {
    value *= 10;
    if (i < digits.size()) {
      value += digits[i] - '0';
    } else {
      room *= 10;
    }
  }
  low = std::max(low, value);
  high = std::min(high, value + room - 1);
  if (low > high) return std::nullopt;
  return end == DateEnd::first ? low : high;
}

int last_day_of(int year, int month) {
  const chr::year_month_day_last last{chr::year{year}, chr::month_day_last{chr::month{static_cast<unsigned>(month)}}};
  return static_cast<int>(unsigned{last.day()});
}

Error no_such(const FieldRule& rule, std::string_view digits, const std::array<int, kFields>& value) {
  std::string where;
  if (rule.name == "day") where = fmt::format(" in {:04}-{:02}", value[kYear], value[kMonth]);
  const std::string_view how = digits.size() < rule.width ? "that begins with " : "";
  return because(fmt::format("there is no {} {}{}{}", rule.name, how, digits, where));
}

Result<Time> resolve(const Fields& fields, DateEnd end) {
  std::array<int, kFields> value{};
  const bool leap = fields.digits[kSecond] == "60";
  for (std::size_t i = 0; i < kFields; ++i) {
    FieldRule rule = kRules[i];
    if (i == kDay) rule.high = last_day_of(value[kYear], value[kMonth]);
    const std::string_view digits = i == kSecond && leap ? "59" : fields.digits[i];
    const std::optional<int> picked = pick(digits, rule.width, rule.low, rule.high, end);
    if (!picked) return no_such(rule, digits, value);
    value[i] = *picked;
  }
  const chr::sys_days midnight{chr::year{value[kYear]} / value[kMonth] / value[kDay]};
  const std::int64_t seconds = (midnight.time_since_epoch().count() * 24 + value[kHour]) * 3600 +
                               (value[kMinute] - fields.zone_minutes) * 60 + value[kSecond];
  std::int64_t micros = end == DateEnd::first ? 0 : kMicrosPerSecond - 1;
  if (fields.micros) micros = *fields.micros;
  if (leap) {
    micros = kMicrosPerSecond - 1;
    const chr::sys_seconds next{chr::seconds{seconds + 1}};
    const auto next_day = chr::floor<chr::days>(next);
    if (next != next_day || chr::year_month_day{next_day}.day() != chr::day{1})
      return because("second 60 exists only as the last one of a month in UTC");
  }
  return in_range(seconds * kMicrosPerSecond + micros);
}

// --- ISO 8601 and web-archive timestamps ---

// Cuts `count` digits off the front; nothing where there are fewer.
std::string_view take_digits(std::string_view& rest, std::size_t count) {
  if (rest.size() < count || !all_digits(rest.substr(0, count))) return {};
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

bool take(std::string_view& rest, std::string_view any_of) {
  if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) return false;
  rest.remove_prefix(1);
  return true;
}

Result<Time> parse_timestamp(std::string_view text, DateEnd end) {
  if (text.size() > 14) return because("a web-archive timestamp has at most 14 digits");
  Fields fields;
  for (std::size_t i = 0; i < kFields; ++i) {
    fields.digits[i] = text.substr(0, kRules[i].width);
    text.remove_prefix(fields.digits[i].size());
  }
  return resolve(fields, end);
}

// The digits after a decimal point, to microseconds. Nothing where there are none.
std::optional<int> take_fraction(std::string_view& rest) {
  const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (count == 0) return std::nullopt;
  int micros = 0;
  for (std::size_t i = 0; i < 6; ++i) micros = micros * 10 + (i < count ? rest[i] - '0' : 0);
  rest.remove_prefix(count);
  return micros;
}

// Z, +02, +0200, +02:00.
bool take_zone(std::string_view& rest, std::int64_t& minutes) {
  if (take(rest, "z")) return true;
  const bool west = rest.starts_with('-');
  if (!take(rest, "+-")) return false;
  const std::string_view hour = take_digits(rest, 2);
  if (hour.empty()) return false;
  const bool colon = take(rest, ":");
  const std::string_view minute = take_digits(rest, 2);
  if (colon && minute.empty()) return false;
  const std::optional<int> h = pick(hour, 2, 0, 23, DateEnd::first);
  const std::optional<int> m = pick(minute, 2, 0, 59, DateEnd::first);
  if (!h || !m) return false;
  minutes = (*h * 60 + *m) * (west ? -1 : 1);
  return true;
}

// After the "T": hour, minute and second with or without colons, fraction, zone.
Result<void> take_clock(std::string_view& rest, Fields& fields) {
  fields.digits[kHour] = take_digits(rest, 2);
  if (fields.digits[kHour].empty()) return because("an hour of two digits must follow the date");
  const bool colons = rest.starts_with(':');
  for (Field f : {kMinute, kSecond}) {
    if (colons && !take(rest, ":")) break;
    fields.digits[f] = take_digits(rest, 2);
    if (fields.digits[f].empty()) {
      if (colons) return because(fmt::format("the {} must have two digits", kRules[f].name));
      break;
    }
  }
  if (!fields.digits[kSecond].empty()) {
    fields.micros = 0;
    if (take(rest, ".,")) {
      fields.micros = take_fraction(rest);
      if (!fields.micros) return because("the decimal point is followed by no digit");
    }
  }
  if (rest.size() > 1) take(rest, " ");
  if (!rest.empty() && !take_zone(rest, fields.zone_minutes))
    return because("what follows the time is no zone like Z or +02:00");
  return {};
}

Result<Time> parse_iso(std::string_view rest, DateEnd end) {
  Fields fields;
  fields.digits[kYear] = take_digits(rest, 4);
  const bool dashes = rest.starts_with('-');
  for (Field f : {kMonth, kDay}) {
    if (dashes && !take(rest, "-")) break;
    fields.digits[f] = take_digits(rest, 2);
    if (fields.digits[f].empty()) return because(fmt::format("the {} must have two digits", kRules[f].name));
  }
  if (!rest.empty() && fields.digits[kDay].empty()) return because("the month is followed by no day");
  if (!rest.empty()) {
    if (!take(rest, "t ")) return because("the date is followed by neither \"T\" nor a space");
    BA_TRY(take_clock(rest, fields));
    if (!rest.empty()) return because("more text follows the time");
  }
  return resolve(fields, end);
}

// --- @unix ---

Result<Time> parse_unix(std::string_view rest) {
  const bool negative = take(rest, "-");
  const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (count == 0) return because("\"@\" must be followed by seconds since 1970");
  std::int64_t seconds = 0;
  const std::errc wrong = std::from_chars(rest.data(), rest.data() + count, seconds).ec;
  if (wrong != std::errc{} || seconds > Time::max().micros / kMicrosPerSecond)
    return because("it is outside the years 0000 to 9999");
  rest.remove_prefix(count);
  int fraction = 0;
  if (take(rest, ".")) {
    const std::optional<int> digits = take_fraction(rest);
    if (!digits) return because("the decimal point is followed by no digit");
    fraction = *digits;
  }
  if (!rest.empty()) return because("\"@\" must be followed by seconds since 1970 and nothing else");
  const std::int64_t micros = seconds * kMicrosPerSecond + fraction;
  return in_range(negative ? -micros : micros);
}

// --- relative forms ---

struct Unit {
  std::string_view names;  // each between blanks
  std::int64_t seconds;    // 0 where the calendar decides
  int months;
};
constexpr std::array<Unit, 7> kUnits{{{" s sec secs second seconds ", 1, 0},
                                      {" m min mins minute minutes ", 60, 0},
                                      {" h hr hrs hour hours ", 3600, 0},
                                      {" d day days ", 86'400, 0},
                                      {" w wk wks week weeks ", 7 * 86'400, 0},
                                      {" mo mos month months ", 0, 1},
                                      {" y yr yrs year years ", 0, 12}}};

const Unit* find_unit(std::string_view name) {
  if (name.find(' ') != std::string_view::npos) return nullptr;
  for (const Unit& unit : kUnits)
    if (unit.names.find(fmt::format(" {} ", name)) != std::string_view::npos) return &unit;
  return nullptr;
}

std::string_view trimmed(std::string_view s) {
  s.remove_prefix(std::min(s.find_first_not_of(kBlanks), s.size()));
  return s.substr(0, s.find_last_not_of(kBlanks) + 1);
}

chr::sys_time<chr::microseconds> to_chrono(Time t) {
  return chr::sys_time<chr::microseconds>{chr::microseconds{t.micros}};
}

Result<Time> months_before(Time reference, std::int64_t months) {
  const auto at = to_chrono(reference);
  const auto midnight = chr::floor<chr::days>(at);
  chr::year_month_day date{midnight};
  date -= chr::months{months};
  if (!date.ok()) date = date.year() / date.month() / chr::last;
  return in_range((chr::sys_days{date} + (at - midnight)).time_since_epoch().count());
}

Result<Time> day_before(Time reference, int days, DateEnd end) {
  const auto first = chr::floor<chr::days>(to_chrono(reference)) - chr::days{days};
  const chr::microseconds micros = first.time_since_epoch();
  return in_range(micros.count() + (end == DateEnd::first ? 0 : 86'400 * kMicrosPerSecond - 1));
}

// "3 days ago", "2h ago", "a week ago".
Result<Time> parse_ago(std::string_view text, Time reference) {
  std::string_view rest = trimmed(text.substr(0, text.size() - std::string_view(" ago").size()));
  std::size_t number_end = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (number_end == 0) number_end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view number = rest.substr(0, number_end);
  const Unit* unit = find_unit(trimmed(rest.substr(number_end)));
  if (!unit) return because("\"ago\" counts seconds, minutes, hours, days, weeks, months or years");
  std::int64_t count = 1;
  if (all_digits(number)) {
    if (std::from_chars(number.data(), number.data() + number.size(), count).ec != std::errc{})
      return because("it is outside the years 0000 to 9999");
  } else if (number != "a" && number != "an") {
    return because("\"ago\" must follow a whole number and a unit");
  }
  // No step back from a year of ours by more than this can end in one; below it nothing overflows.
  constexpr std::int64_t kMostMonths = 10'000 * 12;
  const std::int64_t most = unit->months ? kMostMonths / unit->months : kMostMonths * 31 * 86'400 / unit->seconds;
  if (count > most) return because("it is outside the years 0000 to 9999");
  if (unit->months) return months_before(reference, count * unit->months);
  return in_range(reference.micros - count * unit->seconds * kMicrosPerSecond);
}

Result<Time> parse_trimmed(std::string_view text, DateEnd end, Time reference) {
  if (text.empty()) return because("it is empty");
  if (text.size() > kMaxText) return because("it is too long");
  if (all_digits(text)) return parse_timestamp(text, end);
  if (text.starts_with('@')) return parse_unix(text.substr(1));
  if (text == "now") return reference;
  if (text == "today") return day_before(reference, 0, end);
  if (text == "yesterday") return day_before(reference, 1, end);
  if (text.ends_with(" ago")) return parse_ago(text, reference);
  if (text.size() > 4 && all_digits(text.substr(0, 4))) return parse_iso(text, end);
  return because("it has none of the known forms");
}

std::string lower_case(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

Result<Time> parse_time(std::string_view text, DateEnd end, Time reference) {
  const std::string lower = lower_case(trimmed(text).substr(0, kMaxText + 1));
  Result<Time> time = parse_trimmed(lower, end, std::clamp(reference, Time::min(), Time::max()));
  if (time) return time;
  return because(fmt::format(
      "cannot read {:?} as a time: {}; accepted are 2024, 2024-05, 2024-05-01, 2024-05-01T12:30:00Z, "
      "1 to 14 digits as in 20240501123000, @1714566600, now, today, yesterday and forms like \"3 days ago\"",
      text.substr(0, kMaxText), time.error().message));
}

}  // namespace blockarch
