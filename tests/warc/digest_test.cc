#include "warc/digest.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

TEST_CASE("a digest is read in every spelling") {
  const Digest sha1 = compute_digest(DigestAlgorithm::sha1, "");
  for (const char* text :
       {"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "SHA1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
        "sha-1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
        "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1:2jmj7l5rSw0yVb/vlWAYkK/YBwk"}) {
    INFO(text);
    const auto digest = parse_digest(text);
    REQUIRE(digest.has_value());
    CHECK(*digest == sha1);
  }
  CHECK(*parse_digest("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") ==
        compute_digest(DigestAlgorithm::sha256, ""));
  CHECK(*parse_digest("sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ====") ==
        compute_digest(DigestAlgorithm::sha256, ""));
  CHECK(*parse_digest("md5:d41d8cd98f00b204e9800998ecf8427e") == compute_digest(DigestAlgorithm::md5, ""));
}

TEST_CASE("what is no digest is refused") {
  for (const char* text : {"", "sha1", "sha1:", "sha1:xyz", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBY1", "crc32:00000000",
                           "sha1:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}) {
    INFO(text);
    CHECK_FALSE(parse_digest(text).has_value());
  }
}

TEST_CASE("digests are written as most tools write them") {
  CHECK(format_digest(compute_digest(DigestAlgorithm::sha1, "")) == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  CHECK(format_digest(compute_digest(DigestAlgorithm::sha256, "")) ==
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(base32_encode("f") == "MY");
  CHECK(base32_encode("foobar") == "MZXW6YTBOI");
}

TEST_CASE("a record's digests are compared with its bytes") {
  const Bytes block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  ArchiveRecord record;
  record.type = RecordType::response;
  record.body = RecordBody(block);
  const HttpMessage http = *parse_http(record.body.view());
  const auto sha1 = [](ByteView bytes) { return format_digest(compute_digest(DigestAlgorithm::sha1, bytes)); };
  const auto check = [&] { return check_digests(record, &http, "hello"); };

  CHECK(check().empty());
  record.block_digest = sha1(block);
  record.payload_digest = sha1("hello");
  CHECK(check().empty());
  record.payload_digest = sha1(http.body);
  CHECK(check().empty());
  record.payload_digest = sha1("other");
  CHECK(check() == std::vector<std::string>{"the payload is not what its digest says"});
  record.type = RecordType::revisit;
  CHECK(check().empty());
  record.block_digest = sha1("other");
  CHECK(check() == std::vector<std::string>{"the block is not what its digest says"});
  record.block_digest = "sha1:nonsense";
  CHECK(check().size() == 1);
}
