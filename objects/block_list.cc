#include "objects/block_list.h"

#include "base/coding.h"
#include "objects/encoding_version.h"

namespace blockarch {

std::uint64_t BlockList::size() const {
  std::uint64_t total = 0;
  for (const Chunk& chunk : chunks) total += chunk.size;
  return total;
}

// Sizes first, ids after: the sizes of similar lists compress, the ids do not.
Bytes encode_block_list(const BlockList& list) {
  Bytes out;
  put_encoding_version(out);
  put_varint(out, list.chunks.size());
  for (const Chunk& chunk : list.chunks) put_varint(out, chunk.size);
  for (const Chunk& chunk : list.chunks) put_hash(out, chunk.id.hash);
  return out;
}

Result<BlockList> decode_block_list(ByteView content) {
  ByteReader reader(content);
  BA_TRY(read_encoding_version(reader, "list"));
  const std::uint64_t count = reader.varint_up_to(reader.rest().size() / 33);
  if (count < 2) reader.fail();
  BlockList list;
  if (reader.ok()) list.chunks.resize(count);
  for (Chunk& chunk : list.chunks) {
    chunk.size = reader.varint_up_to(kMaxObjectSize);
    if (chunk.size == 0) reader.fail();
  }
  for (Chunk& chunk : list.chunks) chunk.id.hash = reader.hash();
  BA_TRY(reader.finish("list"));
  return list;
}

}  // namespace blockarch
