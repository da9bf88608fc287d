#include "objects/layout.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/decoder_checks.h"

using namespace blockarch;

namespace {
const Layout kExample{{"<html><body>", "<hr>", "</body></html>\n"}};
}

TEST_CASE("a layout comes back as it was") {
  for (const Layout& layout : {kExample, Layout{{"", ""}}, Layout{{"", "x", ""}}, Layout{{Bytes("\0\xff", 2), "\n"}}}) {
    CHECK(decode_layout(encode_layout(layout)).value() == layout);
  }
}

TEST_CASE("the encoding of a layout is pinned") {
  CHECK(to_hex(encode_layout(kExample)).starts_with("01020c040f"));
  CHECK(id_of(kExample).hash.hex() == "11bb3fe1149a45845370eef3ca20853696af54264bdc867b4d50e65ce79caba1");
}

TEST_CASE("a damaged layout is refused or decodes to what encodes to the same bytes") {
  check_decoder(encode_layout(kExample), decode_layout, encode_layout);
}

TEST_CASE("a layout with an empty literal between two slots is not canonical") {
  const Bytes bytes = encode_layout(Layout{{"a", "", "b"}});
  CHECK(decode_layout(bytes).error().code == ErrorCode::corrupt);
}

TEST_CASE("a layout without a slot is refused") {
  CHECK(decode_layout(Bytes("\x01\x00\x00", 3)).error().code == ErrorCode::corrupt);
}

TEST_CASE("a layout that claims more slots than it has bytes allocates nothing") {
  CHECK(decode_layout(Bytes("\x01\xff\xff\xff\x07", 5)).error().code == ErrorCode::corrupt);
}

TEST_CASE("a layout of a newer encoding is unsupported") {
  Bytes bytes = encode_layout(kExample);
  bytes[0] = 2;
  CHECK(decode_layout(bytes).error().code == ErrorCode::unsupported);
}
