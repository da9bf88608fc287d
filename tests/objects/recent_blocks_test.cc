#include "objects/recent_blocks.h"

#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "objects/object_id.h"

using namespace blockarch;

namespace {

Bytes block(int n, std::size_t size) {
  Bytes bytes = std::to_string(n) + " ";
  while (bytes.size() < size) bytes += static_cast<char>('a' + (bytes.size() * 7 + static_cast<std::size_t>(n)) % 26);
  return bytes;
}

Hash256 right_id(ByteView content) {
  return hash_object(ObjectKind::block, content);
}

}  // namespace

TEST_CASE("a block has its own id whether or not it was met before") {
  RecentBlocks recent(1 << 20);
  for (const std::size_t size : {0, 1, 63, 64, 65, 1000, 4096, 65536, 65537, 200'000}) {
    const Bytes content = block(1, size);
    CHECK(recent.id_of(content) == right_id(content));
    CHECK(recent.id_of(content) == right_id(content));
    recent.clear();
    CHECK(recent.id_of(content) == right_id(content));
  }
}

TEST_CASE("blocks that push each other out keep their ids") {
  // Far more than there is room for, of bytes and of slots.
  RecentBlocks recent(64 * 1024);
  for (int round = 0; round < 2; ++round) {
    for (int n = 0; n < 3000; ++n) {
      const Bytes content = block(n, 70 + static_cast<std::size_t>(n) % 900);
      REQUIRE(recent.id_of(content) == right_id(content));
    }
  }
}

TEST_CASE("threads that ask for the same blocks get the right ids") {
  RecentBlocks recent(256 * 1024);
  std::vector<Bytes> contents;
  std::vector<Hash256> ids;
  for (int n = 0; n < 500; ++n) {
    contents.push_back(block(n, 100 + static_cast<std::size_t>(n)));
    ids.push_back(right_id(contents.back()));
  }
  std::array<int, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 4 * contents.size(); ++i) {
        const std::size_t n = (i * (t + 1)) % contents.size();
        if (recent.id_of(contents[n]) != ids[n]) ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::array<int, 4>{});
}
