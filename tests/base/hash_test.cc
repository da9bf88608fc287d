#include "base/hash.h"

#include <catch2/catch_test_macros.hpp>
#include <cctype>
#include <string>
#include <unordered_set>

using namespace blockarch;

namespace {

constexpr char kEmptyHex[] = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
constexpr char kAbcHex[] = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";

// The input of the official BLAKE3 test vectors: 0, 1, …, 250, 0, 1, …
Bytes vector_input(std::size_t size) {
  Bytes bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(i % 251));
  return bytes;
}

}  // namespace

TEST_CASE("hashes are those of the published BLAKE3 vectors") {
  CHECK(blake3("").hex() == kEmptyHex);
  CHECK(blake3("abc").hex() == kAbcHex);
  CHECK(blake3(vector_input(1)).hex() == "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213");
  CHECK(blake3(vector_input(1024)).hex() == "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7");
  CHECK(blake3(vector_input(1025)).hex() == "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444");
}

TEST_CASE("hashing in pieces gives the hash of the whole") {
  const Bytes bytes = vector_input(5000);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{63}, std::size_t{1024}, std::size_t{4999}}) {
    Hasher hasher;
    for (std::size_t at = 0; at < bytes.size(); at += piece) hasher.update(ByteView(bytes).substr(at, piece));
    CHECK(hasher.finish() == blake3(bytes));
  }
  CHECK(Hasher().finish() == blake3(""));
}

TEST_CASE("a hasher goes on after finish") {
  Hasher hasher;
  hasher.update("a");
  CHECK(hasher.finish() == blake3("a"));
  CHECK(hasher.update("bc").finish() == blake3("abc"));
}

TEST_CASE("hexadecimal text becomes a hash in either case, and nothing else does") {
  const std::string hex = kAbcHex;
  std::string upper = hex;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  REQUIRE(Hash256::from_hex(hex));
  CHECK(*Hash256::from_hex(hex) == blake3("abc"));
  CHECK(Hash256::from_hex(upper) == Hash256::from_hex(hex));
  CHECK_FALSE(Hash256::from_hex(""));
  CHECK_FALSE(Hash256::from_hex(hex.substr(1)));
  CHECK_FALSE(Hash256::from_hex(hex + "0"));
  for (const char bad : {'g', 'G', '/', ':', '@', '`', ' ', '\0', '\xc3'}) {
    std::string changed = hex;
    changed[17] = bad;
    CHECK_FALSE(Hash256::from_hex(changed));
  }
}

TEST_CASE("a hash survives its bytes and orders by them") {
  const Hash256 a = blake3("abc");
  const Hash256 b = blake3("");
  CHECK(Hash256::from_bytes(a.view()) == a);
  CHECK((a < b) == (a.view() < b.view()));
  CHECK(a != b);
  CHECK(Hash256{}.is_zero());
  CHECK_FALSE(a.is_zero());
  std::unordered_set<Hash256> set = {a, b, a};
  CHECK(set.size() == 2);
}

TEST_CASE("the short checksum is the beginning of the hash of both parts together") {
  CHECK(checksum32("abc") == 0x6437b3ac);
  CHECK(checksum32("a", "bc") == 0x6437b3ac);
  CHECK(checksum32("ab", "c") == 0x6437b3ac);
  CHECK(checksum32("") == 0xaf1349b9);
  CHECK(checksum32("abd") != 0x6437b3ac);
}

TEST_CASE("bytes are written as two lower-case digits each") {
  CHECK(to_hex("") == "");
  CHECK(to_hex(ByteView("\x00\x0f\xf0\xff", 4)) == "000ff0ff");
}
