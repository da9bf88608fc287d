// Named instants of the whole archive: a tag "release-1" at T means every URL as of T.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/lmdb.h"
#include "base/time.h"
#include "refs/tables.h"

namespace blockarch {

struct Tag {
  std::string name;
  Time instant;
  Time created;
  std::string message;

  bool operator==(const Tag&) const = default;
};

inline constexpr std::size_t kMaxTagName = 200;
inline constexpr std::size_t kMaxTagMessage = 1 << 16;

// Invalid unless 1 to kMaxTagName bytes of letters, digits, '.', '_', '-', '/' or anything beyond ASCII, beginning with
// none of '.', '-', '/', and not all digits (so that it can never be read as a date).
Result<void> check_tag_name(std::string_view name);

Result<std::optional<Tag>> find_tag(const ReadTransaction& transaction, const Tables& tables, std::string_view name);
Result<std::vector<Tag>> all_tags(const ReadTransaction& transaction, const Tables& tables);
// Invalid where the name is taken, unless `replace`.
Result<void> put_tag(WriteTransaction& transaction, const Tables& tables, const Tag& tag, bool replace);
// not_found where there is none.
Result<void> erase_tag(WriteTransaction& transaction, const Tables& tables, std::string_view name);

}  // namespace blockarch
