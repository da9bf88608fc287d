// The bytes of an input as a window that moves forward.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "warc/input.h"

namespace blockarch {

class RawWindow {
 public:
  RawWindow(std::unique_ptr<ByteInput> input, std::size_t capacity);

  // What is in memory and not consumed. Valid until the next call that is not const.
  ByteView view() const { return {buffer_.get() + begin_, end_ - begin_}; }
  // Of view() in the input.
  std::uint64_t offset() const { return offset_; }
  void consume(std::size_t n);
  // Reads until at least `want` bytes (at most the capacity) are in view; false where the input ends before.
  Result<bool> fill(std::size_t want);
  // At least one byte, from the window or past it; 0 at the end.
  Result<std::size_t> read(char* out, std::size_t size);
  // Continues elsewhere, where the input can.
  Result<void> seek(std::uint64_t offset);
  bool ended() const { return ended_; }
  std::size_t capacity() const { return capacity_; }

  ByteInput& input() { return *input_; }
  const ByteInput& input() const { return *input_; }

 private:
  std::unique_ptr<ByteInput> input_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_ = false;
};

}  // namespace blockarch
