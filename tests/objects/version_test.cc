#include "objects/version.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/decoder_checks.h"

using namespace blockarch;

namespace {
const Version kExample{{blake3("page"), 12345, "text/html", "utf-8", "auto", 3}, {blake3("layout")}, {blake3("tree")}};
}

TEST_CASE("a version comes back as it was") {
  CHECK(decode_version(encode_version(kExample)).value() == kExample);
}

TEST_CASE("the encoding of a version is pinned") {
  CHECK(id_of(kExample).hash.hex() == "978c646a8f245dd003c525943bdd5349845168887a448476fac1abf0c9dfb2cc");
}

TEST_CASE("a damaged version is refused or decodes to what encodes to the same bytes") {
  check_decoder(encode_version(kExample), decode_version, encode_version);
}

TEST_CASE("a version of a page over the limit is refused") {
  Version version = kExample;
  version.payload_size = kMaxPayload + 1;
  CHECK(decode_version(encode_version(version)).error().code == ErrorCode::corrupt);
}
