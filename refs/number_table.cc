#include "refs/number_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch::number_table {
namespace {

constexpr std::size_t kIdSize = 32;
constexpr char kName[] = "numbers";

Bytes key_of(std::uint32_t chunk) {
  Bytes key;
  put_fixed32(key, chunk);
  return key;
}

Result<ByteView> open_chunk(ByteView key, ByteView value) {
  BA_ASSIGN(const ByteView ids, unseal(key, value, kName));
  if (ids.empty() || ids.size() % kIdSize != 0 || ids.size() > kIdSize * kIdsPerValue) {
    return Error{ErrorCode::corrupt, "an entry of table numbers has a wrong size"};
  }
  return ids;
}

}  // namespace

Result<Hash256> id_of(const ReadTransaction& transaction, Table table, std::uint32_t number) {
  const Bytes key = key_of(number / kIdsPerValue);
  BA_ASSIGN(const auto value, transaction.get(table, key));
  if (value) {
    BA_ASSIGN(const ByteView ids, open_chunk(key, *value));
    const std::size_t at = number % kIdsPerValue * kIdSize;
    if (at < ids.size() && !Hash256::from_bytes(ids.substr(at, kIdSize)).is_zero()) {
      return Hash256::from_bytes(ids.substr(at, kIdSize));
    }
  }
  return Error{ErrorCode::corrupt, fmt::format("number {} names no object: run blockarch fsck", number)};
}

Result<void> erase_value(WriteTransaction& transaction, Table table, std::uint32_t chunk) {
  BA_TRY(transaction.erase(table, key_of(chunk)));
  return {};
}

Result<void> forget(WriteTransaction& transaction, Table table, std::uint32_t number) {
  const Bytes key = key_of(number / kIdsPerValue);
  BA_ASSIGN(const auto value, transaction.get(table, key));
  if (!value) return {};
  BA_ASSIGN(const ByteView before, open_chunk(key, *value));
  Bytes ids(before);
  const std::size_t at = number % kIdsPerValue * kIdSize;
  if (at < ids.size()) ids.replace(at, kIdSize, kIdSize, '\0');
  return transaction.put(table, key, seal(key, std::move(ids)));
}

Result<std::uint32_t> count(const ReadTransaction& transaction, Table table) {
  BA_ASSIGN(Cursor cursor, transaction.cursor(table));
  BA_ASSIGN(const auto last, cursor.last());
  if (!last) return std::uint32_t{0};
  BA_ASSIGN(const ByteView ids, open_chunk(last->key, last->value));
  return ByteReader(last->key).fixed32() * kIdsPerValue + static_cast<std::uint32_t>(ids.size() / kIdSize);
}

Result<std::uint32_t> append(WriteTransaction& transaction, Table table, const Hash256& id, std::uint32_t least) {
  BA_ASSIGN(const std::uint32_t counted, count(transaction, table));
  const std::uint32_t number = std::max(counted, least);
  if (number == UINT32_MAX) return Error{ErrorCode::too_large, "the archive holds as many versions as it can number"};
  const Bytes key = key_of(number / kIdsPerValue);
  Bytes ids;
  if (number % kIdsPerValue != 0) {
    BA_ASSIGN(const auto value, transaction.get(table, key));
    if (!value && number != least) {
      return Error{ErrorCode::corrupt, "table numbers has a hole: run blockarch fsck"};
    }
    if (value) {
      BA_ASSIGN(const ByteView before, open_chunk(key, *value));
      ids = before;
    }
    // Zeros stand for what is known elsewhere.
    ids.resize(number % kIdsPerValue * kIdSize, '\0');
  }
  put_hash(ids, id);
  BA_TRY(transaction.put(table, key, seal(key, std::move(ids))));
  return number;
}

}  // namespace blockarch::number_table
