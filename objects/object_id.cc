#include "objects/object_id.h"

#include <fmt/format.h>

namespace blockarch {

std::string_view kind_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::block:
      return "block";
    case ObjectKind::list:
      return "list";
    case ObjectKind::layout:
      return "layout";
    case ObjectKind::tree:
      return "tree";
    case ObjectKind::version:
      return "version";
    case ObjectKind::metadata:
      return "metadata";
  }
  return "unknown";
}

Result<ObjectKind> kind_from_number(std::uint8_t number) {
  if (number >= 1 && number <= 6) return static_cast<ObjectKind>(number);
  return Error{ErrorCode::corrupt, fmt::format("{} is not an object kind", number)};
}

std::string ObjectId::text() const {
  return fmt::format("{} {}", kind_name(kind), short_id(hash));
}

Hash256 hash_object(ObjectKind kind, ByteView content) {
  Bytes prefix = fmt::format("{} {}", kind_name(kind), content.size());
  prefix.push_back('\0');
  // One update for small objects: most of them are, and a copy is cheaper than a second call into the hash.
  if (content.size() <= 4096) {
    prefix.append(content);
    return blake3(prefix);
  }
  return Hasher().update(prefix).update(content).finish();
}

std::string short_id(const Hash256& hash) {
  return hash.hex().substr(0, kShortIdDigits);
}

}  // namespace blockarch
