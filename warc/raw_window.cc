#include "warc/raw_window.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace blockarch {
namespace {

// What is read at once: large enough for the disk, small enough to be still in the cache when it is parsed.
constexpr std::size_t kReadSize = 256 * 1024;

}  // namespace

RawWindow::RawWindow(std::unique_ptr<ByteInput> input, std::size_t capacity)
    : input_(std::move(input)), capacity_(capacity), buffer_(new char[capacity]) {}

void RawWindow::consume(std::size_t n) {
  assert(n <= end_ - begin_);
  begin_ += n;
  offset_ += n;
  if (begin_ == end_) begin_ = end_ = 0;
}

Result<bool> RawWindow::fill(std::size_t want) {
  want = std::min(want, capacity_);
  while (end_ - begin_ < want && !ended_) {
    if (begin_ + want > capacity_) {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    const std::size_t size = std::min(capacity_ - end_, std::max(kReadSize, want - (end_ - begin_)));
    BA_ASSIGN(const std::size_t n, input_->read(buffer_.get() + end_, size));
    end_ += n;
    ended_ = n == 0;
  }
  return end_ - begin_ >= want;
}

Result<void> RawWindow::seek(std::uint64_t offset) {
  begin_ = end_ = 0;
  ended_ = false;
  BA_TRY(input_->seek(offset));
  offset_ = offset;
  return {};
}

Result<std::size_t> RawWindow::read(char* out, std::size_t size) {
  if (begin_ == end_ && size < kReadSize) BA_TRY(fill(1));
  if (begin_ < end_) {
    const std::size_t n = std::min(size, end_ - begin_);
    std::memcpy(out, buffer_.get() + begin_, n);
    consume(n);
    return n;
  }
  if (ended_) return std::size_t{0};
  BA_ASSIGN(const std::size_t n, input_->read(out, size));
  offset_ += n;
  ended_ = n == 0;
  return n;
}

}  // namespace blockarch
