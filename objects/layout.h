// A layout: the bytes of a page that belong to no block, with slots where the blocks go. A slot takes one or more
// adjacent blocks (the block tree says how many), so adding a block beside another leaves the layout as it was.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_id.h"

namespace blockarch {

inline constexpr std::uint64_t kMaxSlots = 1 << 24;

// literals.size() == slots + 1: literal 0 stands before slot 0, the last one after the last slot. There is at least one
// slot, and literals between two slots are never empty: that makes the encoding of a cut page unique.
struct Layout {
  std::vector<Bytes> literals;

  std::size_t slots() const { return literals.size() - 1; }
  bool operator==(const Layout&) const = default;
};

Bytes encode_layout(const Layout& layout);
Result<Layout> decode_layout(ByteView content);
// The literals alone, where they stand in the content.
Result<std::vector<ByteView>> layout_literals(ByteView content);
LayoutId id_of(const Layout& layout);

}  // namespace blockarch
