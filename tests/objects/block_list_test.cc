#include "objects/block_list.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/decoder_checks.h"

using namespace blockarch;

namespace {
const BlockList kExample{{{BlockId{blake3("a")}, 1000}, {BlockId{blake3("b")}, 24}, {BlockId{blake3("a")}, 1000}}};
}

TEST_CASE("a list comes back as it was") {
  CHECK(decode_block_list(encode_block_list(kExample)).value() == kExample);
  CHECK(kExample.size() == 2024);
}

TEST_CASE("the encoding of a list is pinned") {
  CHECK(hash_object(ObjectKind::list, encode_block_list(kExample)).hex() ==
        "cfabbf1d6c5350c7860b5602346c96370eb545856cf68a826b5672386803f7d9");
}

TEST_CASE("a damaged list is refused or decodes to what encodes to the same bytes") {
  check_decoder(encode_block_list(kExample), decode_block_list, encode_block_list);
}

TEST_CASE("a list of one chunk, of none, or with an empty chunk is refused") {
  CHECK_FALSE(decode_block_list(encode_block_list(BlockList{{kExample.chunks[0]}})).has_value());
  CHECK_FALSE(decode_block_list(encode_block_list(BlockList{})).has_value());
  CHECK_FALSE(decode_block_list(encode_block_list(BlockList{{kExample.chunks[0], {BlockId{}, 0}}})).has_value());
}
