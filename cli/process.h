// What the program needs from the operating system around it: descriptors, signals, locale.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <string>

namespace blockarch {

// Called first of all.
// - Standard descriptors that were closed are opened to nothing, so that no file of the archive can become
// one of them.
// - A closed pipe ends the program quietly, whatever was inherited.
// - A fault inside hot.mdb's memory map, and an assertion of LMDB, become one line and exit code 5.
void prepare_process();

// A file that a signal which ends the program must remove first. One at a time; an empty path takes it back.
void remove_on_signal(const std::string& path);

// While it lives, the first signal that would end the program only sets a flag; the second one ends it. One at a time.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  const std::atomic<bool>& flag() const;

 private:
  std::array<struct sigaction, 3> before_;
};

// Holds back the signals that end the program while it lives, so that a file is not made without being remembered.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace blockarch
