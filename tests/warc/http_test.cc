#include "warc/http.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

using Codings = std::vector<std::string>;

HttpMessage parsed(ByteView block) {
  auto message = parse_http(block);
  REQUIRE(message.has_value());
  return *std::move(message);
}

struct Decoded {
  Bytes bytes;
  std::string defect;
};
Decoded unchunked(ByteView body) {
  const Bytes block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Bytes(body);
  const HttpMessage message = parsed(block);
  const TransferDecoded decoded = decode_transfer(message);
  return {Bytes(decoded.view(message)), decoded.defect};
}

}  // namespace

TEST_CASE("a response's head is parsed and its body is the rest") {
  const Bytes block = "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nX-Long: a\r\n b\r\n\r\n<p>gone";
  const HttpMessage message = parsed(block);
  CHECK(message.version == "HTTP/1.1");
  CHECK(message.status == 404);
  CHECK(message.reason == "Not Found");
  CHECK(*message.header("content-type") == "text/html");
  CHECK(*message.header("X-Long") == "a b");
  CHECK(message.body == "<p>gone");
  CHECK(Bytes(message.head) + Bytes(message.body) == block);
  CHECK(message.defects.empty());
}

TEST_CASE("a request is parsed") {
  const HttpMessage message = parsed("POST /a b?c HTTP/1.1\r\nHost: a.example\r\n\r\nx=1");
  CHECK(message.method == "POST");
  CHECK(message.target == "/a b?c");
  CHECK(message.body == "x=1");
}

TEST_CASE("odd heads are read as browsers read them, with their defects named") {
  CHECK(parsed("HTTP/1.0 200\nA: b\n\nbody").body == "body");
  CHECK(parsed("HTTP/1.0 200\nA: b\n\nbody").status == 200);
  CHECK(parsed("HTTP/1.1 200 OK\r\n\r\n").headers.empty());
  CHECK(parsed("HTTP/1.1 abc OK\r\n\r\n").defects.size() == 1);
  CHECK(parsed("ICY 200 OK\r\n\r\nstream").body == "stream");
  const HttpMessage no_colon = parsed("HTTP/1.1 200 OK\r\nnonsense\r\nA: b\r\n\r\nbody");
  CHECK(no_colon.defects == Codings{"\"nonsense\" is no header line"});
  CHECK(*no_colon.header("A") == "b");
  const HttpMessage no_end = parsed("HTTP/1.1 200 OK\r\nA: b");
  CHECK(*no_end.header("a") == "b");
  CHECK(no_end.body.empty());
  CHECK(no_end.defects.size() == 1);
}

TEST_CASE("what is no HTTP message is refused") {
  CHECK_FALSE(parse_http("<html>").has_value());
  CHECK_FALSE(parse_http("").has_value());
  CHECK_FALSE(parse_http("HTTP/1.1 200 OK\r\nA: " + Bytes(kMaxHttpHead, 'x')).has_value());
}

TEST_CASE("chunks are put together") {
  CHECK(unchunked("5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n").bytes == "hello world");
  CHECK(unchunked("5\nhello\n0\n\n").bytes == "hello");
  CHECK(unchunked("0\r\n\r\n").bytes.empty());
  CHECK(unchunked("5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n").bytes == "hello");
  CHECK(unchunked(encode_chunked("hello")).bytes == "hello");
  CHECK(unchunked(encode_chunked("hello")).defect.empty());
  CHECK(unchunked(encode_chunked("")).bytes.empty());
}

TEST_CASE("a body that is not chunked although it says so comes as it is") {
  CHECK(unchunked("<html>").bytes == "<html>");
  CHECK_FALSE(unchunked("<html>").defect.empty());
  CHECK(unchunked("ffffffffffffffffff\r\nx").bytes == "ffffffffffffffffff\r\nx");
  CHECK(unchunked("5\r\nhel").bytes == "hel");
  CHECK_FALSE(unchunked("5\r\nhel").defect.empty());
  CHECK(unchunked("5\r\nhello\r\nworld").bytes == "helloworld");
  CHECK_FALSE(unchunked("5\r\nhello\r\n").defect.empty());
}

TEST_CASE("content codings are listed in order without identity") {
  CHECK(
      content_codings(parsed("HTTP/1.1 200 OK\r\nContent-Encoding: GZIP, identity\r\ncontent-encoding: br\r\n\r\n")) ==
      Codings{"gzip", "br"});
}

TEST_CASE("every coding comes off as it was put on, always the same") {
  Bytes page;
  for (int i = 0; i < 5000; ++i) page += "<p>paragraph " + std::to_string(i * 7919 % 1000) + "</p>\n";
  for (const std::string coding : {"gzip", "x-gzip", "deflate", "br", "zstd"}) {
    INFO(coding);
    for (const Bytes& bytes : {page, Bytes("x"), Bytes()}) {
      const auto encoded = encode_content(bytes, coding);
      REQUIRE(encoded.has_value());
      CHECK(*encode_content(bytes, coding) == *encoded);
      const auto decoded = decode_content(*encoded, {coding});
      REQUIRE(decoded.has_value());
      CHECK(*decoded == bytes);
    }
    const Bytes whole = *encode_content(page, coding);
    const auto cut = decode_content(whole.substr(0, whole.size() / 2), {coding});
    REQUIRE_FALSE(cut.has_value());
    CHECK(cut.error().code == ErrorCode::corrupt);
  }
  const Bytes twice = *encode_content(*encode_content(page, "gzip"), "br");
  CHECK(*decode_content(twice, {"gzip", "br"}) == page);
  CHECK(decode_content(page, {"gzip"}).error().code == ErrorCode::corrupt);
  CHECK(decode_content(page, {"sdch"}).error().code == ErrorCode::unsupported);
  CHECK(encode_content(page, "compress").error().code == ErrorCode::unsupported);
}

TEST_CASE("gzip in several members and deflate without a head are read") {
  const Bytes a = *encode_content("first ", "gzip"), b = *encode_content("second", "gzip");
  CHECK(*decode_content(a + b, {"gzip"}) == "first second");
  CHECK(*decode_content(a + "trailing", {"gzip"}) == "first ");
  const Bytes zlib = *encode_content("hello hello hello", "deflate");
  CHECK(*decode_content(zlib.substr(2, zlib.size() - 6), {"deflate"}) == "hello hello hello");
}

TEST_CASE("a bomb is refused whatever it is made of") {
  const Bytes zeros(24 << 20, '\0');
  for (const std::string coding : {"gzip", "deflate", "br", "zstd"}) {
    INFO(coding);
    const Bytes bomb = *encode_content(zeros, coding);
    const auto decoded = decode_content(bomb, {coding});
    REQUIRE_FALSE(decoded.has_value());
    CHECK(decoded.error().code == ErrorCode::too_large);
    DecodeLimits limits;
    limits.max_ratio = std::uint64_t{1} << 30;
    CHECK(decode_content(bomb, {coding}, limits).has_value());
    limits.max_size = zeros.size() - 1;
    CHECK_FALSE(decode_content(bomb, {coding}, limits).has_value());
  }
}
