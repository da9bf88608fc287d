// Small dense numbers for 32-byte ids, given in order of arrival and never changed. Histories name versions by number,
// which is what makes an observation cost a few bytes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "base/lmdb.h"
#include "objects/object_id.h"

namespace blockarch {

// Numbers of different kinds are different types, as ids are.
template <ObjectKind Kind>
struct Number {
  std::uint32_t value = 0;
  auto operator<=>(const Number&) const = default;
};
using VersionNumber = Number<ObjectKind::version>;
using MetadataNumber = Number<ObjectKind::metadata>;

namespace number_table {
// Ids stand together, so many in a value: one entry each would cost half as much again in B-tree nodes.
inline constexpr std::uint32_t kIdsPerValue = 32;

// Untyped, one table for each kind.
Result<Hash256> id_of(const ReadTransaction& transaction, Table table, std::uint32_t number);
// The number is the table's next one, or `least` where that is greater: numbers below it are known elsewhere.
Result<std::uint32_t> append(WriteTransaction& transaction, Table table, const Hash256& id, std::uint32_t least = 0);
// Forgets the ids of numbers chunk * kIdsPerValue and so on, which are known elsewhere.
Result<void> erase_value(WriteTransaction& transaction, Table table, std::uint32_t chunk);
// The number stands for nothing any more. Where it is the last one it stays given: zeros stand in its place.
Result<void> forget(WriteTransaction& transaction, Table table, std::uint32_t number);
Result<std::uint32_t> count(const ReadTransaction& transaction, Table table);
}  // namespace number_table

// Corrupt where the number was never given.
template <ObjectKind Kind>
Result<Id<Kind>> id_of_number(const ReadTransaction& transaction, Table table, Number<Kind> number) {
  BA_ASSIGN(const Hash256 hash, number_table::id_of(transaction, table, number.value));
  return Id<Kind>{hash};
}

template <ObjectKind Kind>
Result<Number<Kind>> append_number(WriteTransaction& transaction, Table table, const Id<Kind>& id,
                                   std::uint32_t least = 0) {
  BA_ASSIGN(const std::uint32_t number, number_table::append(transaction, table, id.hash, least));
  return Number<Kind>{number};
}

}  // namespace blockarch
