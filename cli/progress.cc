#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/text.h"

namespace blockarch {
namespace {

constexpr std::chrono::milliseconds kFirstAfter{400};
constexpr std::chrono::milliseconds kEvery{100};
constexpr std::string_view kWipe = "\r\x1b[K";

void put(std::string_view text) {
  // Nothing depends on it: a terminal that went away must not stop the work.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string bar(double share, std::size_t width, const Terminal& terminal) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
  std::string done;
  std::string rest;
  for (std::size_t i = 0; i < width; ++i) {
    (i < full ? done : rest) += terminal.unicode ? "━" : i < full ? "#" : "-";
  }
  return terminal.styled(done, Style::cyan) + terminal.styled(rest, Style::dim);
}

}  // namespace

Progress::Progress(bool no_color)
    : terminal_(Terminal::of(STDERR_FILENO, no_color)), next_(std::chrono::steady_clock::now() + kFirstAfter) {}

Progress::~Progress() {
  finish();
}

bool Progress::is_due() {
  if (!terminal_.is_terminal) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + kEvery;
  return true;
}

void Progress::update(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (!is_due()) return;
  draw(stage, done, total, total > 0 ? group_digits(done) + "/" + group_digits(total) : group_digits(done));
}

void Progress::update_bytes(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view more) {
  if (!is_due()) return;
  std::string counts = total > 0 ? human_size(done) + " of " + human_size(total) : human_size(done);
  draw(stage, done, total, counts + ", " + std::string(more));
}

void Progress::draw(std::string_view stage, std::uint64_t done, std::uint64_t total, const std::string& counts) {
  std::string line(kWipe);
  line += cut_end(stage, 24, terminal_.ellipsis()) + "  ";
  std::size_t taken = display_width(stage) + 12;
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const std::size_t all = taken + counts.size();
    if (terminal_.width > all + 10) line += bar(share, std::min<std::size_t>(30, terminal_.width - all), terminal_);
    line += fmt::format(" {:3.0f}%  ", share * 100);
  }
  // A line that wraps cannot be wiped.
  const std::size_t room = terminal_.width > taken ? terminal_.width - taken : 10;
  put(line + terminal_.styled(cut_end(counts, room, terminal_.ellipsis()), Style::dim));
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) put(kWipe);
  drawn_ = false;
}

}  // namespace blockarch
