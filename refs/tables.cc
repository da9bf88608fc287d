#include "refs/tables.h"

#include "objects/loose_store.h"

namespace blockarch {

std::vector<std::string> table_names() {
  return {kLooseTable, "urls", "url_records", "history", "version_numbers", "metadata_numbers", "payloads", "tags"};
}

std::vector<std::string> later_table_names() {
  return {"settings", "packs", "removed"};
}

Tables find_tables(const Lmdb& lmdb) {
  return {.objects = lmdb.table(kLooseTable),
          .urls = lmdb.table("urls"),
          .url_records = lmdb.table("url_records"),
          .history = lmdb.table("history"),
          .version_numbers = lmdb.table("version_numbers"),
          .metadata_numbers = lmdb.table("metadata_numbers"),
          .payloads = lmdb.table("payloads"),
          .tags = lmdb.table("tags"),
          .settings = lmdb.find_table("settings").value_or(Table{}),
          .packs = lmdb.find_table("packs").value_or(Table{}),
          .removed = lmdb.find_table("removed").value_or(Table{})};
}

std::vector<Table> all_tables(const Tables& tables) {
  return {tables.objects,          tables.urls,     tables.url_records, tables.history,  tables.version_numbers,
          tables.metadata_numbers, tables.payloads, tables.tags,        tables.settings, tables.packs,
          tables.removed};
}

}  // namespace blockarch
