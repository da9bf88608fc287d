// The LMDB tables of an archive, by name and purpose (docs/format.md, "hot.mdb").
#pragma once

#include <string>
#include <vector>

#include "base/lmdb.h"

namespace blockarch {

// The file that holds the tables, until packing everything has put another one in its place (refs/hot_file.h).
inline constexpr char kHotFile[] = "hot.mdb";

struct Tables {
  Table objects;           // id → loose object (objects/loose_store.h)
  Table urls;              // URL key → URL number
  Table url_records;       // URL number → the URL as given
  Table history;           // URL number, time → observations
  Table version_numbers;   // version number → version id
  Table metadata_numbers;  // metadata number → metadata id
  Table payloads;          // beginning of a payload hash → version numbers; derived
  Table tags;              // name → instant
  // Handle 0 where the archive was made before they came into being and nothing was written to them yet:
  Table settings;  // name → what a feature keeps about the archive
  Table packs;     // order → name of a pack file
  Table removed;   // time of removal, URL → a history that was taken out and may still be put back
};

// What every archive has.
std::vector<std::string> table_names();
// What archives made by older versions lack until something is written to it.
std::vector<std::string> later_table_names();
Tables find_tables(const Lmdb& lmdb);
// In one order for every archive.
std::vector<Table> all_tables(const Tables& tables);

}  // namespace blockarch
