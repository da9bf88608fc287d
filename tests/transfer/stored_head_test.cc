#include "transfer/stored_head.h"

#include <catch2/catch_test_macros.hpp>

using namespace blockarch;

namespace {

std::string stored(const Bytes& block) {
  const auto message = parse_http(block);
  REQUIRE(message);
  return stored_head(*message, message->body.size());
}

}  // namespace

TEST_CASE("a length that fits the body is derived, one that does not is kept") {
  CHECK(stored("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nA: b\r\n\r\nbody") ==
        "HTTP/1.1 200 OK\r\nContent-Length: =\r\nA: b\r\n");
  CHECK(stored("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbody") == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n");
  CHECK(stored("HTTP/1.1 200 OK\ncontent-length:  4  \nA: b\n\nbody") ==
        "HTTP/1.1 200 OK\ncontent-length:  =  \nA: b\n");
  // Two lengths: neither can be trusted to be the one.
  CHECK(stored("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody") ==
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n");
}

TEST_CASE("a stored head comes back as it was") {
  for (const char* head_text :
       {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nA: b\r\n\r\n", "HTTP/1.1 200 OK\ncontent-length:  4 \n\n",
        "HTTP/1.0 404 Not Found\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"}) {
    const Bytes head = head_text;
    CHECK(restored_head(stored(head + "body"), 4) == head);
  }
}

TEST_CASE("a head without an end is stored like one that has it") {
  const std::string cut = stored("HTTP/1.1 200 OK\r\nA: b");
  CHECK(cut == "HTTP/1.1 200 OK\r\nA: b\r\n");
  CHECK(stored(restored_head(cut, 0)) == cut);
}

TEST_CASE("a revisit's length is derived from the page that it repeats") {
  CHECK(stored_head_of_repeat("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n", 4) ==
        "HTTP/1.1 200 OK\r\nContent-Length: =\r\n");
  CHECK(stored_head_of_repeat("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", 4) ==
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n");
  CHECK(stored_head_of_repeat("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n", 4) ==
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: =\r\n");
  CHECK(stored_head_of_repeat("HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n", 4) ==
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n");
}
