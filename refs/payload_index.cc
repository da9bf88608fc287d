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

}  // namespace blockarch
