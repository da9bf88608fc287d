// Whether a page comes back from the blocks and the layout that a segmentation of it gives.
#pragma once

#include "objects/memory_store.h"
#include "objects/page.h"
#include "segment/split.h"

namespace blockarch {

inline bool joins_again(ByteView payload, const Segmentation& segmentation) {
  const SplitPage page = split_page(payload, segmentation);
  MemoryStore store;
  for (const PageObject& object : page.objects) store.put(object.id.kind, object.content);
  Version version;
  version.payload_hash = blake3(payload);
  version.payload_size = payload.size();
  version.layout = {store.put(ObjectKind::layout, encode_layout(page.layout))};
  version.tree = {store.put(ObjectKind::tree, encode_block_tree(page.tree))};
  const auto joined = join_page(store, version);
  return joined.has_value() && *joined == payload;
}

}  // namespace blockarch
