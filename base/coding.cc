#include "base/coding.h"

#include <fmt/format.h>

namespace blockarch {

void put_varint(Bytes& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void put_zigzag(Bytes& out, std::int64_t value) {
  put_varint(out, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void put_fixed32(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

void put_fixed64(Bytes& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

void put_hash(Bytes& out, const Hash256& hash) {
  out.append(hash.view());
}

void put_string(Bytes& out, ByteView text) {
  put_varint(out, text.size());
  out.append(text);
}

bool ByteReader::take(std::uint64_t count, ByteView& out) {
  if (failed_ || count > rest_.size()) {
    fail_here();
    return false;
  }
  out = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return true;
}

std::uint64_t ByteReader::long_varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t b = byte();
    if (failed_) return 0;
    const std::uint64_t bits = b & 0x7f;
    const bool overflows = shift == 63 && bits > 1;
    const bool padded = shift > 0 && b == 0;
    if (overflows || padded) break;
    value |= bits << shift;
    if (b < 0x80) return value;
  }
  failed_at_ = size_ - rest_.size();
  fail();
  return 0;
}

std::uint64_t ByteReader::varint_up_to(std::uint64_t limit) {
  const std::uint64_t value = varint();
  if (value <= limit) return value;
  failed_at_ = size_ - rest_.size();
  fail();
  return 0;
}

std::int64_t ByteReader::zigzag() {
  const std::uint64_t v = varint();
  return static_cast<std::int64_t>(v >> 1) ^ -static_cast<std::int64_t>(v & 1);
}

std::uint32_t ByteReader::fixed32() {
  ByteView b;
  if (!take(4, b)) return 0;
  std::uint32_t value = 0;
  for (char c : b) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

std::uint64_t ByteReader::fixed64() {
  ByteView b;
  if (!take(8, b)) return 0;
  std::uint64_t value = 0;
  for (char c : b) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

Hash256 ByteReader::hash() {
  ByteView b;
  return take(32, b) ? Hash256::from_bytes(b) : Hash256{};
}

ByteView ByteReader::bytes(std::uint64_t count) {
  ByteView b;
  return take(count, b) ? b : ByteView{};
}

ByteView ByteReader::string(std::uint64_t limit) {
  return bytes(varint_up_to(limit));
}

Result<void> ByteReader::finish(std::string_view what) const {
  if (failed_) return Error{ErrorCode::corrupt, fmt::format("{} is malformed at byte {} of {}", what, offset(), size_)};
  if (!rest_.empty()) {
    return Error{ErrorCode::corrupt, fmt::format("{} has {} bytes too many", what, rest_.size())};
  }
  return {};
}

}  // namespace blockarch
