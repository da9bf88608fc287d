#include "cli/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/file.h"

namespace blockarch {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::size_t terminal_width(int descriptor) {
  if (const std::string columns(environment("COLUMNS")); !columns.empty()) {
    const long value = std::strtol(columns.c_str(), nullptr, 10);
    if (value > 0 && value < 100'000) return static_cast<std::size_t>(value);
  }
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    for (const char* form : {"UTF-8", "utf-8", "UTF8", "utf8"})
      if (value.find(form) != std::string_view::npos) return true;
    return false;
  }
  return false;
}

const char* escape_code(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::bold:
      return "1";
    case Style::dim:
      return "2";
    case Style::red:
      return "31";
    case Style::green:
      return "32";
    case Style::yellow:
      return "33";
    case Style::cyan:
      return "36";
  }
  return "";
}

// A pipe may have been handed to us as non-blocking.
bool wait_until_writable(int descriptor) {
  pollfd wanted{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return ::poll(&wanted, 1, -1) == 1;
}

}  // namespace

Terminal Terminal::of(int descriptor, bool no_color) {
  Terminal terminal;
  if (::isatty(descriptor) != 1) return terminal;
  terminal.is_terminal = true;
  terminal.colour = !no_color && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  terminal.unicode = locale_is_utf8();
  terminal.width = terminal_width(descriptor);
  return terminal;
}

std::string Terminal::styled(std::string_view text, Style style) const {
  if (!colour || style == Style::plain || text.empty()) return std::string(text);
  return std::string("\x1b[").append(escape_code(style)).append("m").append(text).append("\x1b[0m");
}

void Output::write(ByteView bytes) {
  if (error_) return;
  if (buffer_.size() + bytes.size() > kBufferSize) {
    write_through(buffer_);
    buffer_.clear();
    if (bytes.size() > kBufferSize) return write_through(bytes);
  }
  buffer_ += bytes;
}

void Output::line(std::string_view text) {
  write(text);
  write("\n");
}

void Output::write_through(ByteView bytes) {
  while (!bytes.empty() && !error_) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (!may_try_again()) {
      return;
    }
  }
}

bool Output::may_try_again() {
  if (errno == EINTR) return true;
  if (errno == EAGAIN && wait_until_writable(descriptor_)) return true;
  // io whatever the reason: a full disk under the output says nothing about the archive.
  error_ = Error{ErrorCode::io, system_error(errno, "write to", name_).message};
  return false;
}

Result<void> Output::send(std::initializer_list<ByteView> parts) {
  std::vector<iovec> left;
  const auto add = [&](ByteView part) {
    if (!part.empty()) left.push_back({const_cast<char*>(part.data()), part.size()});
  };
  add(buffer_);
  for (const ByteView part : parts) add(part);
  std::size_t at = 0;
  while (at < left.size() && !error_) {
    const ssize_t count = ::writev(descriptor_, &left[at], static_cast<int>(left.size() - at));
    if (count < 0 && !may_try_again()) break;
    auto written = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    for (; at < left.size() && written >= left[at].iov_len; ++at) written -= left[at].iov_len;
    if (at == left.size()) break;
    left[at].iov_base = static_cast<char*>(left[at].iov_base) + written;
    left[at].iov_len -= written;
  }
  buffer_.clear();
  if (error_) return *error_;
  return {};
}

void Output::widen_pipe() const {
#ifdef F_SETPIPE_SZ
  constexpr int kWide = 1 << 20;  // what Linux allows everybody
  const int now = ::fcntl(descriptor_, F_GETPIPE_SZ);
  if (now > 0 && now < kWide) ::fcntl(descriptor_, F_SETPIPE_SZ, kWide);
#endif
}

Result<void> Output::flush() {
  write_through(buffer_);
  buffer_.clear();
  if (error_) return *error_;
  return {};
}

}  // namespace blockarch
