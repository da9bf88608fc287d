// The LMDB tables of an archive, by name and purpose (docs/format.md, "hot.mdb").
#pragma once

#include <string>
#include <vector>

#include "base/lmdb.h"

namespace blockarch {

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
};

std::vector<std::string> table_names();
Tables find_tables(const Lmdb& lmdb);

}  // namespace blockarch
