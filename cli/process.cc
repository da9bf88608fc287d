#include "cli/process.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/lmdb.h"
#include "cli/errors.h"

namespace blockarch {
namespace {

// Handlers run on a stack of their own, because a fault may be a stack that is used up.
alignas(16) std::array<char, 64 << 10> signal_stack;

constexpr char kFaultMessage[] =
    "blockarch: archive damaged: hot.mdb cannot be read (page fault); run blockarch fsck\n";

void put(const char* text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Only functions that are safe inside a signal handler.
void on_fault(int number, siginfo_t* info, void*) {
  if (Lmdb::is_mapped(info->si_addr)) {
    put(kFaultMessage);
    ::_exit(static_cast<int>(ExitCode::damaged));
  }
  // Not ours: the instruction runs again and the default action ends the program.
  ::signal(number, SIG_DFL);
}

void on_lmdb_damage(const char* message) {
  put("blockarch: archive damaged: ");
  put(message);
  put("; run blockarch fsck\n");
  ::_exit(static_cast<int>(ExitCode::damaged));
}

std::array<char, 4096> removed_path{};
std::atomic<bool> has_removed_path{false};

void on_end(int number) {
  if (has_removed_path.load()) ::unlink(removed_path.data());
  // Died of the signal rather than exited: a shell's loop must stop too, and it reports 128 + number.
  ::signal(number, SIG_DFL);
  ::raise(number);
}

constexpr std::array<int, 3> kEndSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> stop_flag{false};

void on_stop(int number) {
  stop_flag = true;
  ::signal(number, SIG_DFL);
}

void handle_faults() {
  stack_t stack{};
  stack.ss_size = signal_stack.size();
  stack.ss_sp = signal_stack.data();
  if (::sigaltstack(&stack, nullptr) != 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &action, nullptr);
  ::sigaction(SIGBUS, &action, nullptr);
}

void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // Open the wrong way round, so that using it is an error and not silence.
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", mode) != descriptor) std::abort();
  }
}

}  // namespace

void prepare_process() {
  keep_standard_descriptors();
  ::signal(SIGPIPE, SIG_DFL);
  // Only so that wcwidth knows how wide characters are; nothing is sorted or translated by it.
  ::setlocale(LC_CTYPE, "C.UTF-8");
  handle_faults();
  Lmdb::on_damage(on_lmdb_damage);
}

void remove_on_signal(const std::string& path) {
  has_removed_path = false;
  if (path.empty() || path.size() >= removed_path.size()) return;
  std::memcpy(removed_path.data(), path.c_str(), path.size() + 1);
  has_removed_path = true;
  struct sigaction action {};
  action.sa_handler = on_end;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    // nohup and the like stay in force.
    if (before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
  }
}

StopOnSignal::StopOnSignal() {
  stop_flag = false;
  struct sigaction action {};
  action.sa_handler = on_stop;
  for (std::size_t i = 0; i < kEndSignals.size(); ++i) {
    ::sigaction(kEndSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kEndSignals[i], &action, nullptr);
  }
}

StopOnSignal::~StopOnSignal() {
  for (std::size_t i = 0; i < kEndSignals.size(); ++i) ::sigaction(kEndSignals[i], &before_[i], nullptr);
}

const std::atomic<bool>& StopOnSignal::flag() const {
  return stop_flag;
}

SignalsHeld::SignalsHeld() {
  sigset_t held;
  ::sigemptyset(&held);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&held, number);
  ::sigprocmask(SIG_BLOCK, &held, &before_);
}

SignalsHeld::~SignalsHeld() {
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace blockarch
