// A fast 64-bit hash of bytes for cutting decisions: the same on every machine, no defence against chosen
// collisions.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace blockarch {

// splitmix64's output function: every bit of the result depends on every bit of x.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline std::uint64_t fingerprint(ByteView bytes) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  std::uint64_t state = bytes.size() * kStep;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    }
    state = (state ^ word) * kStep;
    state ^= state >> 32;
  }
  for (; at < bytes.size(); ++at) state = (state ^ static_cast<unsigned char>(bytes[at])) * kStep;
  return mix64(state);
}

}  // namespace blockarch
