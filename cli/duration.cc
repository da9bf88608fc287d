#include "cli/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace blockarch {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 86400;
constexpr double kYear = 365.25 * kDay;

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array<Unit, 7> kUnits = {
    {{"", kDay}, {"s", 1}, {"m", kMinute}, {"h", kHour}, {"d", kDay}, {"w", 7 * kDay}, {"y", kYear}}};

}  // namespace

Result<double> parse_duration(std::string_view text) {
  double number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(stop - text.data()));
  for (const Unit& known : kUnits) {
    if (problem != std::errc() || unit != known.name) continue;
    if (number > 0 && std::isfinite(number) && number * known.seconds <= 1000 * kYear) return number * known.seconds;
  }
  return Error{ErrorCode::invalid,
               fmt::format("'{}' is no length of time: write 90s, 15m, 6h, 7d, 2w or 1y, up to 1000y", text)};
}

std::string human_duration(double seconds) {
  if (!std::isfinite(seconds)) return "never";
  const auto show = [](double number, std::string_view unit) {
    return number < 10 ? fmt::format("{:.1f} {}", number, unit) : fmt::format("{:.0f} {}", number, unit);
  };
  if (seconds < kMinute) return show(seconds, "s");
  if (seconds < kHour) return show(seconds / kMinute, "min");
  if (seconds < 2 * kDay) return show(seconds / kHour, "h");
  if (seconds < 2 * kYear) return show(seconds / kDay, "d");
  return show(seconds / kYear, "y");
}

}  // namespace blockarch
