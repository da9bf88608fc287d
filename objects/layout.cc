#include "objects/layout.h"

#include <cassert>

#include "base/coding.h"
#include "objects/encoding_version.h"

namespace blockarch {

Bytes encode_layout(const Layout& layout) {
  assert(layout.literals.size() >= 2);
  Bytes out;
  put_encoding_version(out);
  put_varint(out, layout.slots());
  for (const Bytes& literal : layout.literals) put_varint(out, literal.size());
  for (const Bytes& literal : layout.literals) out.append(literal);
  return out;
}

Result<std::vector<ByteView>> layout_literals(ByteView content) {
  ByteReader reader(content);
  BA_TRY(read_encoding_version(reader, "layout"));
  const std::uint64_t slots = reader.varint_up_to(kMaxSlots);
  // Each length takes at least a byte, so the count is bounded by what is there before anything is allocated.
  if (slots == 0 || slots >= reader.rest().size()) reader.fail();
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t i = 0; reader.ok() && i <= slots; ++i) {
    lengths.push_back(reader.varint_up_to(kMaxObjectSize));
    if (lengths.back() == 0 && i != 0 && i != slots) reader.fail();
  }
  std::vector<ByteView> literals;
  literals.reserve(lengths.size());
  for (std::uint64_t length : lengths) literals.push_back(reader.bytes(length));
  BA_TRY(reader.finish("layout"));
  return literals;
}

Result<Layout> decode_layout(ByteView content) {
  BA_ASSIGN(const auto literals, layout_literals(content));
  return Layout{{literals.begin(), literals.end()}};
}

LayoutId id_of(const Layout& layout) {
  return {hash_object(ObjectKind::layout, encode_layout(layout))};
}

}  // namespace blockarch
