#include "engine/names.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace blockarch {
namespace {

bool is_hex(std::string_view text) {
  return text.size() >= 4 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// "…~12" → 12 and the text before it; nothing where it does not end so.
std::optional<std::uint64_t> take_steps(std::string_view& text) {
  const std::size_t tilde = text.rfind('~');
  if (tilde == std::string_view::npos || tilde + 1 == text.size()) return std::nullopt;
  const std::string_view digits = text.substr(tilde + 1);
  std::uint64_t steps = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), steps);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  text = text.substr(0, tilde);
  return steps;
}

// A reading of the text: which part is the URL, and what the rest says.
struct Reading {
  std::string_view url;
  Time at = Time::max();
  std::uint64_t steps = 0;
};

// The readings from the one that takes most as a suffix to the one that takes nothing.
Result<std::vector<Reading>> readings_of(const Snapshot& snapshot, std::string_view text, Time reference) {
  std::vector<Reading> readings;
  const auto add_reading = [&](std::string_view url, std::string_view date, std::uint64_t steps) -> Result<void> {
    const auto at = resolve_time(snapshot, date, DateEnd::last, reference);
    if (at) {
      readings.push_back({url, *at, steps});
    } else if (at.error().code == ErrorCode::corrupt || at.error().code == ErrorCode::io) {
      return at.error();
    }
    return {};
  };
  const auto add_dated = [&](std::string_view base, std::uint64_t steps) -> Result<void> {
    const std::size_t sign = base.rfind('@');
    if (sign == std::string_view::npos || sign + 1 == base.size()) return {};
    // "URL@@1700000000": the date itself begins with the sign.
    if (sign > 0 && base[sign - 1] == '@') BA_TRY(add_reading(base.substr(0, sign - 1), base.substr(sign), steps));
    return add_reading(base.substr(0, sign), base.substr(sign + 1), steps);
  };
  std::string_view base = text;
  const auto steps = take_steps(base);
  if (steps) {
    BA_TRY(add_dated(base, *steps));
    readings.push_back({base, Time::max(), *steps});
  }
  BA_TRY(add_dated(text, 0));
  readings.push_back({text, Time::max(), 0});
  return readings;
}

}  // namespace

Result<Time> resolve_time(const Snapshot& snapshot, std::string_view text, DateEnd end, Time reference) {
  auto time = parse_time(text, end, reference);
  if (time) return time;
  BA_ASSIGN(const auto tag, snapshot.find_tag(text));
  if (tag) return tag->instant;
  return Error{ErrorCode::invalid, time.error().message + ", or a tag's name"};
}

Result<Named> resolve_name(const Snapshot& snapshot, std::string_view text, Time reference) {
  if (is_hex(text)) {
    BA_ASSIGN(const ObjectId id, snapshot.find_object(text));
    return Named(id);
  }
  BA_ASSIGN(const auto readings, readings_of(snapshot, text, reference));
  // A URL that is in the archive decides; where none is, the message is about the first reading that is a URL at all.
  std::optional<Error> first_error;
  for (const Reading& reading : readings) {
    auto known = snapshot.find_url(reading.url);
    if (known) {
      BA_ASSIGN(CaptureInfo capture, snapshot.versions_back(*known, reading.at, reading.steps));
      return Named(std::move(capture));
    }
    if (known.error().code != ErrorCode::not_found && known.error().code != ErrorCode::invalid) return known.error();
    if (!first_error || first_error->code == ErrorCode::invalid) first_error = known.error();
  }
  return *first_error;
}

}  // namespace blockarch
