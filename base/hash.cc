#include "base/hash.h"

#include <blake3.h>

#include <cassert>
#include <cstring>

namespace blockarch {

std::string to_hex(ByteView bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (char c : bytes) {
    const auto b = static_cast<unsigned char>(c);
    out.push_back(kDigits[b >> 4]);
    out.push_back(kDigits[b & 15]);
  }
  return out;
}

Hash256 Hash256::from_bytes(ByteView bytes) {
  assert(bytes.size() == 32);
  Hash256 h;
  std::memcpy(h.bytes.data(), bytes.data(), h.bytes.size());
  return h;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<Hash256> Hash256::from_hex(std::string_view hex) {
  if (hex.size() != 64) return std::nullopt;
  Hash256 h;
  for (std::size_t i = 0; i < h.bytes.size(); ++i) {
    const int high = hex_digit(hex[2 * i]);
    const int low = hex_digit(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    h.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return h;
}

struct Hasher::State {
  blake3_hasher hasher;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  blake3_hasher_init(&state_->hasher);
}

Hasher::~Hasher() = default;

Hasher& Hasher::update(ByteView bytes) {
  blake3_hasher_update(&state_->hasher, bytes.data(), bytes.size());
  return *this;
}

Hash256 Hasher::finish() const {
  Hash256 h;
  blake3_hasher_finalize(&state_->hasher, h.bytes.data(), h.bytes.size());
  return h;
}

Hash256 blake3(ByteView bytes) {
  blake3_hasher hasher;
  blake3_hasher_init(&hasher);
  blake3_hasher_update(&hasher, bytes.data(), bytes.size());
  Hash256 h;
  blake3_hasher_finalize(&hasher, h.bytes.data(), h.bytes.size());
  return h;
}

std::uint32_t checksum32(ByteView a, ByteView b) {
  blake3_hasher hasher;
  blake3_hasher_init(&hasher);
  blake3_hasher_update(&hasher, a.data(), a.size());
  blake3_hasher_update(&hasher, b.data(), b.size());
  std::uint8_t out[4];
  blake3_hasher_finalize(&hasher, out, sizeof out);
  return static_cast<std::uint32_t>(out[0]) << 24 | static_cast<std::uint32_t>(out[1]) << 16 |
         static_cast<std::uint32_t>(out[2]) << 8 | out[3];
}

}  // namespace blockarch

std::size_t std::hash<blockarch::Hash256>::operator()(const blockarch::Hash256& h) const noexcept {
  std::size_t n;
  std::memcpy(&n, h.bytes.data(), sizeof n);
  return n;
}
