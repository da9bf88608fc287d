#include "refs/sealed.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("a sealed value opens under its own key only") {
  const Bytes value = seal("key", "body");
  CHECK(unseal("key", value, "t").value() == "body");
  CHECK(unseal("kez", value, "t").error().code == ErrorCode::corrupt);
  CHECK(unseal("keyb", seal("key", "body"), "t").error().code == ErrorCode::corrupt);
}

TEST_CASE("every flipped bit of a sealed value is noticed") {
  const Bytes value = seal("key", "some body");
  for (std::size_t i = 0; i < value.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes changed = value;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      CHECK_FALSE(unseal("key", changed, "t").has_value());
    }
  }
  for (std::size_t n = 0; n < value.size(); ++n) CHECK_FALSE(unseal("key", value.substr(0, n), "t").has_value());
}
