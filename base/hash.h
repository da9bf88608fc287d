// BLAKE3-256.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace blockarch {

struct Hash256 {
  std::array<std::uint8_t, 32> bytes{};

  ByteView view() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  std::string hex() const { return to_hex(view()); }
  bool is_zero() const { return *this == Hash256{}; }

  // Exactly 32 bytes.
  static Hash256 from_bytes(ByteView bytes);
  // 64 hexadecimal digits in either case, else nothing.
  static std::optional<Hash256> from_hex(std::string_view hex);

  auto operator<=>(const Hash256&) const = default;
};

// Hashing in pieces.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& update(ByteView bytes);
  Hash256 finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Hash256 blake3(ByteView bytes);

// The first four bytes of BLAKE3, for records too small to carry a whole digest.
std::uint32_t checksum32(ByteView a, ByteView b = {});

}  // namespace blockarch

template <>
struct std::hash<blockarch::Hash256> {
  std::size_t operator()(const blockarch::Hash256& h) const noexcept;
};
