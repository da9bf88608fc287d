// Every decoder of stored bytes: whatever is accepted must encode to exactly the bytes that were read.
#include <cstdint>
#include <cstdlib>

#include "objects/block_list.h"
#include "objects/block_tree.h"
#include "objects/layout.h"
#include "objects/loose_store.h"
#include "objects/metadata.h"
#include "objects/page.h"
#include "objects/version.h"
#include "refs/archive_format.h"
#include "refs/history_chunk.h"
#include "refs/sealed.h"

using namespace blockarch;

namespace {

template <typename Decode, typename Encode>
void check(ByteView bytes, Decode decode, Encode encode) {
  const auto decoded = decode(bytes);
  if (decoded.has_value() && encode(*decoded) != bytes) std::abort();
}

// The seal is put on here: a fuzzer would hardly ever guess it.
void check_chunk(ByteView bytes) {
  if (bytes.size() < 16) return;
  const Bytes key(bytes.substr(0, 16));
  const auto place = decode_chunk_key(key);
  if (!place.has_value()) return;
  const Bytes value = seal(key, Bytes(bytes.substr(16)));
  const auto observations = decode_chunk(key, value);
  if (!observations.has_value()) return;
  // Seconds are preferred, so microseconds that could have been seconds come back shorter; nothing else may differ.
  const auto again = decode_chunk(key, encode_chunk(*place, *observations));
  if (!again.has_value() || *again != *observations) std::abort();
}

void check_tree_with_layout(ByteView bytes) {
  const std::size_t half = bytes.size() / 2;
  const auto layout = decode_layout(bytes.substr(0, half));
  const auto tree = decode_block_tree(bytes.substr(half));
  if (!layout.has_value() || !tree.has_value()) return;
  const auto ranges = node_ranges(*layout, *tree);
  if (ranges.has_value() && ranges->size() != tree->nodes.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 9) {
    case 0:
      check(bytes, decode_layout, encode_layout);
      break;
    case 1:
      check(bytes, decode_block_list, encode_block_list);
      break;
    case 2:
      check(bytes, decode_block_tree, encode_block_tree);
      break;
    case 3:
      check(bytes, decode_version, encode_version);
      break;
    case 4:
      check(bytes, decode_metadata, encode_metadata);
      break;
    case 5:
      check_chunk(bytes);
      break;
    case 6:
      (void)LooseStore::describe(bytes).has_value();
      break;
    case 7:
      (void)decode_archive_format(bytes).has_value();
      break;
    default:
      check_tree_with_layout(bytes);
  }
  return 0;
}
