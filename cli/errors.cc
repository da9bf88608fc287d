#include "cli/errors.h"

#include <unistd.h>

#include <cerrno>

#include "cli/text.h"

namespace blockarch {
namespace {

std::string_view hint_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::locked:
      return "wait longer with --wait SECONDS; the lock goes with the process that holds it";
    case ErrorCode::corrupt:
      return "'blockarch fsck' lists what is damaged and what is not";
    case ErrorCode::no_space:
      return "nothing stored before is affected; free some space and run the command again";
    default:
      return {};
  }
}

// Unbuffered and in one piece, so that lines of several processes do not mix.
void print_line(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return ExitCode::usage;
    case ErrorCode::not_found:
      return ExitCode::not_found;
    case ErrorCode::corrupt:
      return ExitCode::damaged;
    case ErrorCode::no_archive:
      return ExitCode::no_archive;
    case ErrorCode::locked:
      return ExitCode::locked;
    case ErrorCode::interrupted:
      return ExitCode::interrupted;
    case ErrorCode::io:
    case ErrorCode::no_space:
    case ErrorCode::permission:
    case ErrorCode::unsupported:
    case ErrorCode::too_large:
      return ExitCode::failure;
  }
  return ExitCode::failure;
}

void print_error(const Error& error, std::string_view hint) {
  // Messages repeat what came from the web or the command line: nothing of it may steer the terminal.
  std::string text = "blockarch: " + printable(error.message);
  // A message that already says what to run needs no hint to say it again.
  if (hint.empty() && error.message.find("blockarch fsck") == std::string::npos) hint = hint_for(error.code);
  if (!hint.empty()) text += "\nhint: " + printable(hint);
  print_line(std::move(text));
}

void print_warning(std::string_view message) {
  print_line("blockarch: warning: " + printable(message));
}

void print_note(std::string_view message) {
  if (::isatty(STDERR_FILENO) == 1) print_line(printable(message));
}

}  // namespace blockarch
