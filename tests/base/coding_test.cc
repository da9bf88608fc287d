#include "base/coding.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <vector>

using namespace blockarch;

namespace {

Bytes varint(std::uint64_t value) {
  Bytes out;
  put_varint(out, value);
  return out;
}

Bytes zigzag(std::int64_t value) {
  Bytes out;
  put_zigzag(out, value);
  return out;
}

// Every power of two and its neighbours.
std::vector<std::uint64_t> interesting_numbers() {
  std::vector<std::uint64_t> numbers = {0};
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1});
  }
  numbers.push_back(std::numeric_limits<std::uint64_t>::max());
  return numbers;
}

bool is_refused(ByteView bytes) {
  ByteReader reader(bytes);
  const std::uint64_t value = reader.varint();
  CHECK(value == 0);
  return !reader.ok() && !reader.finish("number").has_value();
}

}  // namespace

TEST_CASE("varints have the documented bytes") {
  CHECK(varint(0) == Bytes("\x00", 1));
  CHECK(varint(127) == "\x7f");
  CHECK(varint(128) == "\x80\x01");
  CHECK(varint(300) == "\xac\x02");
  CHECK(varint(std::numeric_limits<std::uint64_t>::max()) == "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST_CASE("varints come back as they were, and never from a part of their bytes") {
  for (const std::uint64_t number : interesting_numbers()) {
    INFO(number);
    const Bytes bytes = varint(number);
    ByteReader reader(bytes);
    CHECK(reader.varint() == number);
    CHECK(reader.finish("number"));
    for (std::size_t length = 0; length < bytes.size(); ++length) CHECK(is_refused(bytes.substr(0, length)));
  }
}

TEST_CASE("a varint that is not in its shortest form is refused") {
  CHECK(is_refused(ByteView("\x80\x00", 2)));
  CHECK(is_refused(ByteView("\xff\x00", 2)));
  CHECK(is_refused(ByteView("\x80\x80\x00", 3)));
  for (const std::uint64_t number : interesting_numbers()) {
    Bytes longer = varint(number);
    longer.back() = static_cast<char>(longer.back() | 0x80);
    longer.push_back('\0');
    INFO(number);
    CHECK(is_refused(longer));
  }
}

TEST_CASE("a varint over 64 bits is refused") {
  CHECK(is_refused("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"));
  CHECK(is_refused("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f"));
  CHECK(is_refused("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\x01"));
  CHECK(is_refused(Bytes(1000, '\xff')));
}

TEST_CASE("zigzag keeps small numbers of either sign short and brings all back") {
  CHECK(zigzag(0) == Bytes("\x00", 1));
  CHECK(zigzag(-1) == "\x01");
  CHECK(zigzag(1) == "\x02");
  CHECK(zigzag(-64) == "\x7f");
  for (const std::uint64_t bits : interesting_numbers()) {
    const auto number = static_cast<std::int64_t>(bits);
    const Bytes bytes = zigzag(number);
    ByteReader reader(bytes);
    CHECK(reader.zigzag() == number);
    CHECK(reader.finish("number"));
  }
}

TEST_CASE("fixed numbers are big-endian and come back") {
  Bytes bytes;
  put_fixed32(bytes, 0x01020304);
  put_fixed64(bytes, 0x1112131415161718);
  put_fixed32(bytes, 0xfffefdfc);
  CHECK(bytes == "\x01\x02\x03\x04\x11\x12\x13\x14\x15\x16\x17\x18\xff\xfe\xfd\xfc");
  ByteReader reader(bytes);
  CHECK(reader.fixed32() == 0x01020304);
  CHECK(reader.fixed64() == 0x1112131415161718);
  CHECK(reader.fixed32() == 0xfffefdfc);
  CHECK(reader.finish("numbers"));
  for (std::size_t length = 0; length < 8; ++length) {
    ByteReader short_reader(ByteView(bytes).substr(0, length));
    CHECK(short_reader.fixed64() == 0);
    CHECK_FALSE(short_reader.ok());
  }
}

TEST_CASE("the order-preserving form sorts signed numbers as bytes do") {
  const std::vector<std::int64_t> sorted = {std::numeric_limits<std::int64_t>::min(), -1000, -1, 0, 1, 1000,
                                            std::numeric_limits<std::int64_t>::max()};
  Bytes previous;
  for (const std::int64_t number : sorted) {
    Bytes bytes;
    put_fixed64(bytes, order_preserving(number));
    CHECK(previous < bytes);
    CHECK(from_order_preserving(order_preserving(number)) == number);
    previous = bytes;
  }
}

TEST_CASE("strings and hashes come back, and never from a part of their bytes") {
  const Bytes text = Bytes(200, 'x') + Bytes("\0y", 2);
  Bytes bytes;
  put_string(bytes, text);
  put_hash(bytes, blake3(text));
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    ByteReader reader(ByteView(bytes).substr(0, length));
    const ByteView string = reader.string(1000);
    const Hash256 hash = reader.hash();
    INFO(length);
    REQUIRE(reader.finish("pair").has_value() == (length == bytes.size()));
    if (length == bytes.size()) {
      CHECK(string == text);
      CHECK(hash == blake3(text));
    }
  }
}

TEST_CASE("a length over its limit is refused even where the bytes are there") {
  Bytes bytes;
  put_string(bytes, "four");
  CHECK(ByteReader(bytes).string(4) == "four");
  ByteReader reader(bytes);
  CHECK(reader.string(3).empty());
  CHECK_FALSE(reader.ok());

  const Bytes number = varint(1000);
  CHECK(ByteReader(number).varint_up_to(1000) == 1000);
  ByteReader limited(number);
  CHECK(limited.varint_up_to(999) == 0);
  CHECK_FALSE(limited.ok());
}

TEST_CASE("a length far beyond the end is refused without arithmetic going wrong") {
  const Bytes bytes = varint(std::numeric_limits<std::uint64_t>::max()) + "abc";
  ByteReader reader(bytes);
  CHECK(reader.string(std::numeric_limits<std::uint64_t>::max()).empty());
  CHECK_FALSE(reader.ok());
}

TEST_CASE("after the first violation every read gives nothing and the place is reported") {
  ByteReader reader(ByteView("\x05\x80\x00rest", 7));
  CHECK(reader.varint() == 5);
  CHECK(reader.varint() == 0);
  CHECK_FALSE(reader.ok());
  CHECK(reader.at_end());
  CHECK(reader.byte() == 0);
  CHECK(reader.bytes(2).empty());
  CHECK(reader.hash().is_zero());
  const auto result = reader.finish("thing");
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::corrupt);
  CHECK(result.error().message == "thing is malformed at byte 3 of 7");
}

TEST_CASE("bytes left over are reported") {
  ByteReader reader("ab");
  CHECK(reader.byte() == 'a');
  CHECK(reader.offset() == 1);
  CHECK(reader.rest() == "b");
  const auto result = reader.finish("thing");
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "thing has 1 bytes too many");
}
