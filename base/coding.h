// How numbers and strings become bytes in every encoding of ours (docs/format.md, "Numbers").
//
// varint   unsigned, 7 bits a byte, low bits first, high bit = more follows; the shortest form only
// zigzag   signed through varint
// fixed    big-endian, so that byte order is number order
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/result.h"

namespace blockarch {

void put_varint(Bytes& out, std::uint64_t value);
void put_zigzag(Bytes& out, std::int64_t value);
void put_fixed32(Bytes& out, std::uint32_t value);
void put_fixed64(Bytes& out, std::uint64_t value);
void put_hash(Bytes& out, const Hash256& hash);
// varint length, then the bytes.
void put_string(Bytes& out, ByteView text);

// Signed numbers in an order-preserving fixed form.
inline std::uint64_t order_preserving(std::int64_t v) {
  return static_cast<std::uint64_t>(v) ^ (std::uint64_t{1} << 63);
}
inline std::int64_t from_order_preserving(std::uint64_t v) {
  return static_cast<std::int64_t>(v ^ (std::uint64_t{1} << 63));
}

// Reads an encoding from the front. The first violation (truncation, a number not in its shortest form, a length over
// its limit) makes the reader fail for good: every later read gives zero or an empty view, and finish() reports it.
// So a decoder may read a whole record and look once, but must look before it allocates by a number it read.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : rest_(bytes), size_(bytes.size()) {}

  // Most numbers take one byte.
  std::uint64_t varint() {
    if (rest_.empty() || static_cast<std::uint8_t>(rest_.front()) >= 0x80) return long_varint();
    return byte();
  }
  // A varint that must not exceed `limit`.
  std::uint64_t varint_up_to(std::uint64_t limit);
  std::int64_t zigzag();
  std::uint8_t byte() {
    if (rest_.empty()) {
      fail_here();
      return 0;
    }
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::uint32_t fixed32();
  std::uint64_t fixed64();
  Hash256 hash();
  ByteView bytes(std::uint64_t count);
  ByteView string(std::uint64_t limit);

  bool ok() const { return !failed_; }
  void fail() { failed_ = true, rest_ = {}; }
  ByteView rest() const { return rest_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t offset() const { return failed_ ? failed_at_ : size_ - rest_.size(); }

  // Corrupt unless everything was read and nothing was wrong. `what` names the record, for example "layout".
  Result<void> finish(std::string_view what) const;

 private:
  std::uint64_t long_varint();
  bool take(std::uint64_t count, ByteView& out);
  // The first violation is the one that is told.
  void fail_here() {
    if (!failed_) failed_at_ = size_ - rest_.size();
    fail();
  }

  ByteView rest_;
  std::size_t size_;
  std::size_t failed_at_ = 0;
  bool failed_ = false;
};

}  // namespace blockarch
