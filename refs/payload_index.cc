#include "refs/payload_index.h"

#include "base/coding.h"

namespace blockarch {
namespace {

// Eight bytes tell payloads apart well enough: a false candidate costs one look at a version.
ByteView key_of(const Hash256& payload) {
  return payload.view().substr(0, 8);
}

}  // namespace

Result<std::vector<VersionNumber>> find_payload(const ReadTransaction& transaction, Table table,
                                                const Hash256& payload) {
  BA_ASSIGN(const auto value, transaction.get(table, key_of(payload)));
  std::vector<VersionNumber> numbers;
  if (!value) return numbers;
  ByteReader reader(*value);
  while (reader.ok() && !reader.at_end()) numbers.push_back({reader.fixed32()});
  if (!reader.ok()) numbers.pop_back();
  return numbers;
}

Result<void> add_payload(WriteTransaction& transaction, Table table, const Hash256& payload, VersionNumber number) {
  Bytes value;
  BA_ASSIGN(const auto before, transaction.get(table, key_of(payload)));
  if (before) value = *before;
  put_fixed32(value, number.value);
  return transaction.put(table, key_of(payload), value);
}

Result<void> erase_payload(WriteTransaction& transaction, Table table, std::uint64_t head, VersionNumber number) {
  Bytes key;
  put_fixed64(key, head);
  BA_ASSIGN(const auto before, transaction.get(table, key));
  if (!before) return {};
  Bytes value;
  ByteReader reader(*before);
  while (!reader.at_end()) {
    const std::uint32_t other = reader.fixed32();
    if (reader.ok() && other != number.value) put_fixed32(value, other);
  }
  if (value.empty()) {
    BA_TRY(transaction.erase(table, key));
    return {};
  }
  return transaction.put(table, key, value);
}

}  // namespace blockarch
