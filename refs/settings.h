// What features keep about the archive itself or a site in it: small values under names such as "tagtree/example.com".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/lmdb.h"
#include "refs/tables.h"

namespace blockarch {

struct Setting {
  std::string name;
  Bytes value;

  bool operator==(const Setting&) const = default;
};

inline constexpr std::size_t kMaxSettingName = 400;
inline constexpr std::size_t kMaxSettingValue = 1 << 20;

// Invalid unless 1 to kMaxSettingName bytes without blanks and control characters. By custom "FEATURE/WHAT".
Result<void> check_setting_name(std::string_view name);

// An archive without the table has no settings.
Result<std::optional<Bytes>> find_setting(const ReadTransaction& transaction, const Tables& tables,
                                          std::string_view name);
// Those whose names begin with `prefix`, in order of names.
Result<std::vector<Setting>> find_settings(const ReadTransaction& transaction, const Tables& tables,
                                           std::string_view prefix);
// Adds or replaces. The table must be there.
Result<void> put_setting(WriteTransaction& transaction, const Tables& tables, const Setting& setting);
// not_found where there is none.
Result<void> erase_setting(WriteTransaction& transaction, const Tables& tables, std::string_view name);

}  // namespace blockarch
