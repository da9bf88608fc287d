#include "base/time.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <random>
#include <string>

using namespace blockarch;

namespace {

const Time kReference{1'714'566'645'250'000};  // 2024-05-01T12:30:45.25Z

// The time in RFC 3339, or the error's message.
std::string read(std::string_view text, DateEnd end = DateEnd::first, Time reference = kReference) {
  const Result<Time> time = parse_time(text, end, reference);
  if (time) return format_rfc3339(*time);
  CHECK(time.error().code == ErrorCode::invalid);
  return time.error().message;
}

std::string read_last(std::string_view text) {
  return read(text, DateEnd::last);
}

bool is_refused(std::string_view text) {
  const bool first = parse_time(text, DateEnd::first, kReference).has_value();
  CHECK(first == parse_time(text, DateEnd::last, kReference).has_value());
  return !first;
}

bool names(std::string_view text, std::string_view reason) {
  return read(text).find(reason) != std::string::npos;
}

}  // namespace

TEST_CASE("RFC 3339 times are read to the microsecond, with and without zone", "[time]") {
  CHECK(read("2024-05-01T12:30:45Z") == "2024-05-01T12:30:45Z");
  CHECK(read("2024-05-01T12:30:45") == "2024-05-01T12:30:45Z");
  CHECK(read("2024-05-01 12:30:45") == "2024-05-01T12:30:45Z");
  CHECK(read("2024-05-01t12:30:45z") == "2024-05-01T12:30:45Z");
  CHECK(read("2024-05-01T12:30:45.5Z") == "2024-05-01T12:30:45.5Z");
  CHECK(read("2024-05-01T12:30:45,000001Z") == "2024-05-01T12:30:45.000001Z");
  CHECK(read("2024-05-01T12:30:45.12345699999999999999Z") == "2024-05-01T12:30:45.123456Z");
  CHECK(read("2024-05-01T12:30:45+02:00") == "2024-05-01T10:30:45Z");
  CHECK(read("2024-05-01T12:30:45+0200") == "2024-05-01T10:30:45Z");
  CHECK(read("2024-05-01T12:30:45 +0200") == "2024-05-01T10:30:45Z");
  CHECK(read("2024-05-01T12:30:45+02") == "2024-05-01T10:30:45Z");
  CHECK(read("2024-05-01T12:30:45-05:30") == "2024-05-01T18:00:45Z");
  CHECK(read("2024-01-01T00:00:00+00:01") == "2023-12-31T23:59:00Z");
  CHECK(read("20240501T123045Z") == "2024-05-01T12:30:45Z");
  CHECK(read("20240501T123045.25-0100") == "2024-05-01T13:30:45.25Z");
  CHECK(read("  2024-05-01\t") == "2024-05-01T00:00:00Z");
}

TEST_CASE("a time to the second is an instant for both ends", "[time]") {
  CHECK(read_last("2024-05-01T12:30:45Z") == "2024-05-01T12:30:45Z");
  CHECK(read_last("2024-05-01T12:30:45.1+02:00") == "2024-05-01T10:30:45.1Z");
  CHECK(read_last("@1714566645") == "2024-05-01T12:30:45Z");
}

TEST_CASE("an imprecise date is padded low or high", "[time]") {
  CHECK(read("2024") == "2024-01-01T00:00:00Z");
  CHECK(read_last("2024") == "2024-12-31T23:59:59.999999Z");
  CHECK(read("2024-02") == "2024-02-01T00:00:00Z");
  CHECK(read_last("2024-02") == "2024-02-29T23:59:59.999999Z");
  CHECK(read_last("2023-02") == "2023-02-28T23:59:59.999999Z");
  CHECK(read("2024-05-01") == "2024-05-01T00:00:00Z");
  CHECK(read_last("2024-05-01") == "2024-05-01T23:59:59.999999Z");
  CHECK(read_last("2024-05-01T12") == "2024-05-01T12:59:59.999999Z");
  CHECK(read_last("2024-05-01T12:30") == "2024-05-01T12:30:59.999999Z");
  CHECK(read_last("2024-05-01T12:30+02:00") == "2024-05-01T10:30:59.999999Z");
}

TEST_CASE("a number of 1 to 14 digits is a web-archive timestamp", "[time]") {
  CHECK(read("20240501123045") == "2024-05-01T12:30:45Z");
  CHECK(read_last("20240501123045") == "2024-05-01T12:30:45.999999Z");
  CHECK(read("2") == "2000-01-01T00:00:00Z");
  CHECK(read_last("2") == "2999-12-31T23:59:59.999999Z");
  CHECK(read("0") == "0000-01-01T00:00:00Z");
  CHECK(read("202") == "2020-01-01T00:00:00Z");
  CHECK(read_last("202") == "2029-12-31T23:59:59.999999Z");
  CHECK(read("20240") == "2024-01-01T00:00:00Z");
  CHECK(read_last("20240") == "2024-09-30T23:59:59.999999Z");
  CHECK(read("20241") == "2024-10-01T00:00:00Z");
  CHECK(read_last("20241") == "2024-12-31T23:59:59.999999Z");
  CHECK(read_last("202402") == "2024-02-29T23:59:59.999999Z");
  CHECK(read("2024022") == "2024-02-20T00:00:00Z");
  CHECK(read_last("2024022") == "2024-02-29T23:59:59.999999Z");
  CHECK(read_last("2024053") == "2024-05-31T23:59:59.999999Z");
  CHECK(read_last("20240501") == "2024-05-01T23:59:59.999999Z");
  CHECK(read("202405012") == "2024-05-01T20:00:00Z");
  CHECK(read_last("202405012") == "2024-05-01T23:59:59.999999Z");
  CHECK(read_last("2024050112") == "2024-05-01T12:59:59.999999Z");
  CHECK(read_last("20240501123") == "2024-05-01T12:39:59.999999Z");
  CHECK(read_last("202405011230") == "2024-05-01T12:30:59.999999Z");
  CHECK(read_last("2024050112304") == "2024-05-01T12:30:49.999999Z");
}

TEST_CASE("dates that do not exist are refused with the reason", "[time]") {
  CHECK(names("20240000000000", "no month 00"));
  CHECK(names("20240100000000", "no day 00 in 2024-01"));
  CHECK(names("202413", "no month 13"));
  CHECK(names("20242", "no month that begins with 2"));
  CHECK(names("2024023", "no day that begins with 3 in 2024-02"));
  CHECK(names("2024-02-30", "no day 30 in 2024-02"));
  CHECK(names("2023-02-29", "no day 29 in 2023-02"));
  CHECK(names("1900-02-29", "no day 29 in 1900-02"));
  CHECK(read("2000-02-29") == "2000-02-29T00:00:00Z");
  CHECK(names("2024-04-31", "no day 31 in 2024-04"));
  CHECK(names("2024-05-01T24:00:00Z", "no hour 24"));
  CHECK(names("20240501240000", "no hour 24"));
  CHECK(names("2024-05-01T23:60:00Z", "no minute 60"));
  CHECK(names("2024-05-01T23:59:61Z", "no second 61"));
  CHECK(names("2024-05-01T12:30:45+24:00", "no zone"));
  CHECK(names("2024-05-01T12:30:45+02:60", "no zone"));
  CHECK(names("202405011230451", "at most 14 digits"));
}

TEST_CASE("second 60 is read where leap seconds are put and nowhere else", "[time]") {
  CHECK(read("2016-12-31T23:59:60Z") == "2016-12-31T23:59:59.999999Z");
  CHECK(read("2016-12-31T23:59:60.5Z") == "2016-12-31T23:59:59.999999Z");
  CHECK(read("2017-01-01T00:59:60+01:00") == "2016-12-31T23:59:59.999999Z");
  CHECK(read("20161231235960") == "2016-12-31T23:59:59.999999Z");
  CHECK(read("9999-12-31T23:59:60Z") == "9999-12-31T23:59:59.999999Z");
  CHECK(names("2016-12-31T22:59:60Z", "second 60"));
  CHECK(names("2016-12-30T23:59:60Z", "second 60"));
  CHECK(names("2016-12-31T23:59:60+01:00", "second 60"));
  CHECK(is_refused("2016123123596"));
}

TEST_CASE("an at sign is followed by unix seconds", "[time]") {
  CHECK(read("@0") == "1970-01-01T00:00:00Z");
  CHECK(read("@1714566645.25") == "2024-05-01T12:30:45.25Z");
  CHECK(read("@-1.5") == "1969-12-31T23:59:58.5Z");
  CHECK(read("@1.0000019") == "1970-01-01T00:00:01.000001Z");
  CHECK(read("@253402300799.999999") == format_rfc3339(Time::max()));
  CHECK(read("@-62167219200") == "0000-01-01T00:00:00Z");
  for (const char* text : {"@253402300800", "@-62167219200.000001", "@99999999999999999999", "@-99999999999999999999",
                           "@9223372036854775807", "@-9223372036854775808"}) {
    CAPTURE(text);
    CHECK(names(text, "outside the years 0000 to 9999"));
  }
  for (const char* text : {"@", "@-", "@.5", "@5.", "@1e9", "@+5", "@ 5", "@5 x", "@--5", "@0x10"}) {
    CAPTURE(text);
    CHECK(is_refused(text));
  }
}

TEST_CASE("relative forms count from the reference", "[time]") {
  CHECK(read("now") == "2024-05-01T12:30:45.25Z");
  CHECK(read("NOW") == "2024-05-01T12:30:45.25Z");
  CHECK(read("today") == "2024-05-01T00:00:00Z");
  CHECK(read_last("Today") == "2024-05-01T23:59:59.999999Z");
  CHECK(read("yesterday") == "2024-04-30T00:00:00Z");
  CHECK(read_last("yesterday") == "2024-04-30T23:59:59.999999Z");
  CHECK(read("3 days ago") == "2024-04-28T12:30:45.25Z");
  CHECK(read_last("3 Days Ago") == "2024-04-28T12:30:45.25Z");
  CHECK(read("2h ago") == "2024-05-01T10:30:45.25Z");
  CHECK(read("1 week ago") == "2024-04-24T12:30:45.25Z");
  CHECK(read("a week ago") == read("1w ago"));
  CHECK(read("an hour ago") == read("60 m ago"));
  CHECK(read("90  sec  ago") == "2024-05-01T12:29:15.25Z");
  CHECK(read("0 days ago") == read("now"));
  CHECK(read("1 mo ago") == "2024-04-01T12:30:45.25Z");
  CHECK(read("1 year ago") == "2023-05-01T12:30:45.25Z");
  CHECK(read("16 months ago") == "2023-01-01T12:30:45.25Z");
}

TEST_CASE("every spelling of a unit is understood", "[time]") {
  for (const char* unit : {"s", "sec", "secs", "second", "seconds"})
    CHECK(read(std::string("2 ") + unit + " ago") == "2024-05-01T12:30:43.25Z");
  for (const char* unit : {"m", "min", "mins", "minute", "minutes"})
    CHECK(read(std::string("2 ") + unit + " ago") == "2024-05-01T12:28:45.25Z");
  for (const char* unit : {"h", "hr", "hrs", "hour", "hours"})
    CHECK(read(std::string("2") + unit + " ago") == "2024-05-01T10:30:45.25Z");
  for (const char* unit : {"d", "day", "days"})
    CHECK(read(std::string("2") + unit + " ago") == "2024-04-29T12:30:45.25Z");
  for (const char* unit : {"w", "wk", "wks", "week", "weeks"})
    CHECK(read(std::string("2 ") + unit + " ago") == "2024-04-17T12:30:45.25Z");
  for (const char* unit : {"mo", "mos", "month", "months"})
    CHECK(read(std::string("2 ") + unit + " ago") == "2024-03-01T12:30:45.25Z");
  for (const char* unit : {"y", "yr", "yrs", "year", "years"})
    CHECK(read(std::string("2 ") + unit + " ago") == "2022-05-01T12:30:45.25Z");
}

TEST_CASE("months and years back end in a day that exists", "[time]") {
  const Time march31 = *parse_time("2024-03-31T10:00:00Z", DateEnd::first, kReference);
  const Time leap_day = *parse_time("2024-02-29T10:00:00Z", DateEnd::first, kReference);
  CHECK(read("1 month ago", DateEnd::first, march31) == "2024-02-29T10:00:00Z");
  CHECK(read("13 months ago", DateEnd::first, march31) == "2023-02-28T10:00:00Z");
  CHECK(read("1 year ago", DateEnd::first, leap_day) == "2023-02-28T10:00:00Z");
  CHECK(read("4 years ago", DateEnd::first, leap_day) == "2020-02-29T10:00:00Z");
}

TEST_CASE("relative forms cannot leave the years 0000 to 9999", "[time]") {
  for (const char* text :
       {"9999999999 days ago", "99999999999999999999999 days ago", "2025 years ago", "9223372036854775807 seconds ago",
        "9223372036854775807 years ago", "24293 months ago", "63881785846 seconds ago"}) {
    CAPTURE(text);
    CHECK(names(text, "outside the years 0000 to 9999"));
  }
  CHECK(read("2024 years ago") == "0000-05-01T12:30:45.25Z");
  CHECK(names("yesterday", "2024-04-30"));
  CHECK(parse_time("yesterday", DateEnd::first, Time::min()).has_value() == false);
  // A reference outside the range counts as its end.
  const Time far{std::numeric_limits<std::int64_t>::max()};
  const Time far_back{std::numeric_limits<std::int64_t>::min()};
  CHECK(read("now", DateEnd::first, far) == format_rfc3339(Time::max()));
  CHECK(read("1 second ago", DateEnd::first, far_back).find("outside") != std::string::npos);
  CHECK(read("1 month ago", DateEnd::first, far_back).find("outside") != std::string::npos);
}

TEST_CASE("zones cannot lead out of the years 0000 to 9999", "[time]") {
  CHECK(names("0000-01-01T00:00:00+01:00", "outside the years"));
  CHECK(names("9999-12-31T23:59:59-00:01", "outside the years"));
  CHECK(read("0000-01-01T00:00:00-01:00") == "0000-01-01T01:00:00Z");
  CHECK(read("0000-02-29") == "0000-02-29T00:00:00Z");
}

TEST_CASE("what is no time is refused in one line that names it and the accepted forms", "[time]") {
  for (const char* text : {"",
                           " ",
                           "x",
                           "tomorrow",
                           "ago",
                           " ago",
                           "3 ago",
                           "days ago",
                           "3 days",
                           "-3 days ago",
                           "3.5 days ago",
                           "3 fortnights ago",
                           "3 sec secs ago",
                           "2024-",
                           "2024-5",
                           "2024-5-1",
                           "2024-05-1",
                           "2024-0501",
                           "2024-05-",
                           "2024/05/01",
                           "2024-05-01T",

                           "2024-05-01X",
                           "2024-05-01T1",
                           "2024-05-01T12:",
                           "2024-05-01T12:3",
                           "2024-05-01T12:30:",
                           "2024-05-01T12:30:45.",
                           "2024-05-01T12:30:45.Z",
                           "2024-05-01T12:30:45ZZ",
                           "2024-05-01T12:30:45Z x",
                           "2024-05-01T12:30:45+",
                           "2024-05-01T12:30:45+2",
                           "2024-05-01T12:30:45+02:",
                           "2024-05-01T12:30:45+02:0",
                           "2024-05-01T12:3045",
                           "2024-05-01T12.5",
                           "2024-05-01Z",
                           "2024-05Z",
                           "2024T12:00Z",
                           "202405T12",
                           "-2024",
                           "+2024",
                           "12024-01-01",
                           "２０２４"}) {
    CAPTURE(text);
    REQUIRE(is_refused(text));
    const std::string message = read(text);
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.find("20240501123000") != std::string::npos);
    CHECK(message.find("days ago") != std::string::npos);
  }
  CHECK(read("2024-99").find("\"2024-99\"") != std::string::npos);
}

TEST_CASE("an error message stays short and printable whatever the text is", "[time]") {
  const std::string message = read("2024\n-05\x01\xff" + std::string(100'000, 'x'));
  CHECK(message.size() < 600);
  for (char c : message) CHECK(static_cast<unsigned char>(c) >= 0x20);
  CHECK(is_refused(std::string(100'000, '1')));
  CHECK(is_refused(std::string("2024\0", 5)));
}

TEST_CASE("times are written in RFC 3339 with the shortest fraction", "[time]") {
  CHECK(format_rfc3339(Time{0}) == "1970-01-01T00:00:00Z");
  CHECK(format_rfc3339(Time{1}) == "1970-01-01T00:00:00.000001Z");
  CHECK(format_rfc3339(Time{-1}) == "1969-12-31T23:59:59.999999Z");
  CHECK(format_rfc3339(Time{100'000}) == "1970-01-01T00:00:00.1Z");
  CHECK(format_rfc3339(Time{10'000'000}) == "1970-01-01T00:00:10Z");
  CHECK(format_rfc3339(Time::min()) == "0000-01-01T00:00:00Z");
  CHECK(format_rfc3339(Time::max()) == "9999-12-31T23:59:59.999999Z");
  CHECK(format_rfc3339(Time{std::numeric_limits<std::int64_t>::max()}) == format_rfc3339(Time::max()));
  CHECK(format_rfc3339(Time{std::numeric_limits<std::int64_t>::min()}) == format_rfc3339(Time::min()));
}

TEST_CASE("web-archive timestamps are written with the fraction cut", "[time]") {
  CHECK(format_timestamp14(kReference) == "20240501123045");
  CHECK(format_timestamp14(Time{-1}) == "19691231235959");
  CHECK(format_timestamp14(Time::min()) == "00000101000000");
  CHECK(format_timestamp14(Time{std::numeric_limits<std::int64_t>::max()}) == "99991231235959");
}

TEST_CASE("seconds outside the range become its ends", "[time]") {
  CHECK(Time::from_seconds(1).micros == 1'000'000);
  CHECK(Time::from_seconds(-1).micros == -1'000'000);
  CHECK(Time::from_seconds(std::numeric_limits<std::int64_t>::min()) == Time::min());
  CHECK(format_timestamp14(Time::from_seconds(std::numeric_limits<std::int64_t>::max())) == "99991231235959");
}

TEST_CASE("now lies in this century", "[time]") {
  CHECK(now() > *parse_time("2024", DateEnd::first, kReference));
  CHECK(now() < *parse_time("2100", DateEnd::first, kReference));
}

TEST_CASE("what is written is read back as the same time", "[time]") {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(Time::min().micros, Time::max().micros);
  for (int i = 0; i < 20'000; ++i) {
    const Time t{any(random)};
    REQUIRE(parse_time(format_rfc3339(t), DateEnd::last, kReference)->micros == t.micros);
    const std::string timestamp = format_timestamp14(t);
    const Time first = *parse_time(timestamp, DateEnd::first, kReference);
    const Time last = *parse_time(timestamp, DateEnd::last, kReference);
    REQUIRE((first <= t && t <= last && last.micros - first.micros == 999'999));
    // Every shorter timestamp is a span around the time.
    const std::string_view part = std::string_view(timestamp).substr(0, 1 + i % 14);
    REQUIRE(*parse_time(part, DateEnd::first, kReference) <= t);
    REQUIRE(*parse_time(part, DateEnd::last, kReference) >= t);
  }
}

TEST_CASE("any short text is read or refused, never worse", "[time]") {
  constexpr std::string_view kAlphabet = "0123459-:.,+TZ @agodyshmnwe";
  std::mt19937 random(11);
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (auto n = random() % 24; n > 0; --n) text.push_back(kAlphabet[random() % kAlphabet.size()]);
    for (DateEnd end : {DateEnd::first, DateEnd::last}) {
      const Result<Time> time = parse_time(text, end, kReference);
      if (time) REQUIRE((*time >= Time::min() && *time <= Time::max()));
    }
  }
}
