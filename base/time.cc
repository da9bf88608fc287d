#include "base/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace blockarch {
namespace {

namespace chr = std::chrono;

// Of the years 0000 to 9999.
constexpr std::int64_t kFirstSecond = -62'167'219'200;
constexpr std::int64_t kLastSecond = 253'402'300'799;

struct Broken {
  int year;
  unsigned month, day;
  std::int64_t hour, minute, second, micros;
};

Broken break_down(Time t) {
  const chr::sys_time<chr::microseconds> at{chr::microseconds{std::clamp(t, Time::min(), Time::max()).micros}};
  const auto midnight = chr::floor<chr::days>(at);
  const chr::year_month_day date{midnight};
  const chr::hh_mm_ss time{at - midnight};
  return {int{date.year()},       unsigned{date.month()}, unsigned{date.day()},     time.hours().count(),
          time.minutes().count(), time.seconds().count(), time.subseconds().count()};
}

}  // namespace

Time Time::from_seconds(std::int64_t s) {
  return {std::clamp(s, kFirstSecond, kLastSecond) * 1'000'000};
}

Time Time::min() {
  return {kFirstSecond * 1'000'000};
}

Time Time::max() {
  return {kLastSecond * 1'000'000 + 999'999};
}

Time now() {
  const auto since_epoch = chr::system_clock::now().time_since_epoch();
  return {chr::floor<chr::microseconds>(since_epoch).count()};
}

std::string format_rfc3339(Time t) {
  const Broken b = break_down(t);
  std::string out =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", b.year, b.month, b.day, b.hour, b.minute, b.second);
  if (b.micros != 0) {
    out += fmt::format(".{:06}", b.micros);
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out + "Z";
}

std::string format_timestamp14(Time t) {
  const Broken b = break_down(t);
  return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}", b.year, b.month, b.day, b.hour, b.minute, b.second);
}

}  // namespace blockarch
