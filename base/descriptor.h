// A file descriptor that is closed when its owner goes.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace blockarch {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      if (is_open()) ::close(number_);
      number_ = other.release();
    }
    return *this;
  }
  ~Descriptor() {
    if (is_open()) ::close(number_);
  }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }

  // Some file systems tell of a failed write only here. Linux has closed the descriptor even where a signal interrupted.
  bool close() { return ::close(release()) == 0 || errno == EINTR; }

 private:
  int number_;
};

}  // namespace blockarch
