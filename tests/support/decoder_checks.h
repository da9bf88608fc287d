// What every canonical encoding must stand: cut at each length and changed at each byte, it is refused, or decodes to a
// value whose encoding is exactly those bytes.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "base/bytes.h"

namespace blockarch {

template <typename Decode, typename Encode>
void check_decoder(const Bytes& good, Decode decode, Encode encode) {
  REQUIRE(decode(good).has_value());
  for (std::size_t length = 0; length < good.size(); ++length) {
    INFO("cut to " << length << " of " << good.size());
    const auto decoded = decode(ByteView(good).substr(0, length));
    REQUIRE_FALSE(decoded.has_value());
  }
  REQUIRE_FALSE(decode(good + "x").has_value());
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      Bytes changed = good;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      INFO("byte " << i << " changed by " << flip);
      const auto decoded = decode(changed);
      if (decoded.has_value()) REQUIRE(encode(*decoded) == changed);
    }
  }
}

}  // namespace blockarch
