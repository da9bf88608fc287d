// Where the raw bytes of an archive come from: a file, standard input, memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

// Pulled by one thread; bytes_read() may be asked by any, which is what a progress bar does.
class ByteInput {
 public:
  explicit ByteInput(std::string name) : name_(std::move(name)) {}
  virtual ~ByteInput() = default;
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;

  // At least one byte and at most `size`; 0 only at the end. `size` is not 0.
  Result<std::size_t> read(char* out, std::size_t size);

  // What messages call it: the path, "standard input", "x.wacz!archive/data.warc.gz".
  const std::string& name() const { return name_; }
  // Where it is known beforehand.
  virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

  // Only for zip, whose directory is at the end: the next read() continues at `offset`. False where that is impossible.
  virtual bool can_seek() const { return false; }
  virtual Result<void> seek(std::uint64_t offset);

 protected:
  virtual Result<std::size_t> read_some(char* out, std::size_t size) = 0;

 private:
  std::string name_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

// "-" is standard input. A directory is `invalid`; a file that is not there `not_found`.
Result<std::unique_ptr<ByteInput>> open_input(const std::string& path);

// Takes the bytes. `sized` false makes it behave like a pipe: no size, no seeking.
std::unique_ptr<ByteInput> memory_input(Bytes bytes, std::string name, bool sized = true);

}  // namespace blockarch
