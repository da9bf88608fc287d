#include "cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>

namespace blockarch {
namespace {

// For the signal handler: a pager must be left to the end, or the terminal is not as it was.
std::atomic<pid_t> running_pager{-1};

void wait_for(pid_t child) {
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void leave_with_pager(int number) {
  ::close(STDOUT_FILENO);
  if (const pid_t child = running_pager.load(); child > 0) wait_for(child);
  ::signal(number, SIG_DFL);
  ::raise(number);
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (::access((rest.substr(0, end) + "/" + program).c_str(), X_OK) == 0) return true;
    rest.erase(0, end + 1);
  }
  return false;
}

// Empty where there is to be none.
std::string pager_command() {
  for (const char* name : {"BLOCKARCH_PAGER", "PAGER"}) {
    if (const char* value = std::getenv(name); value != nullptr) return std::string(value) == "cat" ? "" : value;
  }
  return is_installed("less") ? "less" : "";
}

[[noreturn]] void become_pager(const std::string& command, int input) {
  ::dup2(input, STDIN_FILENO);
  ::close(input);
  // Leave at once where all fits on the screen, show colours, leave the text on the screen.
  ::setenv("LESS", "FRX", 0);
  ::signal(SIGPIPE, SIG_DFL);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

}  // namespace

Pager::Pager(Session& session, bool wanted) : session_(session) {
  if (!wanted || session.options.json || !session.out.terminal().is_terminal) return;
  const std::string command = pager_command();
  int ends[2];
  if (command.empty() || ::pipe2(ends, O_CLOEXEC) != 0) return;
  terminal_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  child_ = terminal_ < 0 ? -1 : ::fork();
  if (child_ == 0) become_pager(command, ends[0]);
  if (child_ > 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    running_pager = child_;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(number, leave_with_pager);
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

Pager::~Pager() {
  if (child_ > 0) {
    // What cannot be written is told by main(), which flushes again.
    static_cast<void>(session_.out.flush());
    ::dup2(terminal_, STDOUT_FILENO);
    wait_for(child_);
    running_pager = -1;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(number, SIG_DFL);
  }
  if (terminal_ >= 0) ::close(terminal_);
}

}  // namespace blockarch
