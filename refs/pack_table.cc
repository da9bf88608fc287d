#include "refs/pack_table.h"

#include "base/coding.h"
#include "refs/sealed.h"

namespace blockarch {
namespace {

constexpr char kName[] = "packs";

struct Listed {
  std::uint32_t place = 0;
  Hash256 name;
};

Result<std::vector<Listed>> read_all(const ReadTransaction& transaction, const Tables& tables) {
  std::vector<Listed> listed;
  if (tables.packs.handle == 0) return listed;
  BA_ASSIGN(Cursor cursor, transaction.cursor(tables.packs));
  BA_ASSIGN(auto entry, cursor.first());
  while (entry) {
    ByteReader key(entry->key);
    const std::uint32_t place = key.fixed32();
    BA_TRY(key.finish("a key of table packs"));
    BA_ASSIGN(const ByteView body, unseal(entry->key, entry->value, kName));
    ByteReader reader(body);
    listed.push_back({place, reader.hash()});
    BA_TRY(reader.finish("an entry of table packs"));
    BA_ASSIGN(entry, cursor.next());
  }
  return listed;
}

Bytes key_of(std::uint32_t place) {
  Bytes key;
  put_fixed32(key, place);
  return key;
}

}  // namespace

Result<std::vector<Hash256>> all_packs(const ReadTransaction& transaction, const Tables& tables) {
  BA_ASSIGN(const auto listed, read_all(transaction, tables));
  std::vector<Hash256> names;
  for (const Listed& pack : listed) names.push_back(pack.name);
  return names;
}

Result<void> add_pack(WriteTransaction& transaction, const Tables& tables, const Hash256& name) {
  BA_ASSIGN(const auto listed, read_all(transaction, tables));
  const Bytes key = key_of(listed.empty() ? 0 : listed.back().place + 1);
  return transaction.put(tables.packs, key, seal(key, Bytes(name.view())));
}

Result<void> erase_pack(WriteTransaction& transaction, const Tables& tables, const Hash256& name) {
  BA_ASSIGN(const auto listed, read_all(transaction, tables));
  for (const Listed& pack : listed) {
    if (pack.name == name) BA_TRY(transaction.erase(tables.packs, key_of(pack.place)));
  }
  return {};
}

std::string pack_file_name(const Hash256& name) {
  return "packs/" + name.hex() + ".pack";
}

}  // namespace blockarch
