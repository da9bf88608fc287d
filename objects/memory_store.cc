#include "objects/memory_store.h"

namespace blockarch {

Hash256 MemoryStore::put(ObjectKind kind, ByteView content) {
  const Hash256 id = hash_object(kind, content);
  objects_.try_emplace(id, Object{kind, Bytes(content)});
  return id;
}

Result<std::optional<Object>> MemoryStore::find(const Hash256& id) const {
  const auto it = objects_.find(id);
  if (it == objects_.end()) return std::optional<Object>();
  return std::optional<Object>(it->second);
}

Result<bool> MemoryStore::contains(const Hash256& id) const {
  return objects_.count(id) > 0;
}

Result<std::vector<Hash256>> MemoryStore::find_prefix(std::string_view hex, std::size_t limit) const {
  std::vector<Hash256> found;
  for (const auto& [id, object] : objects_) {
    if (found.size() < limit && id.hex().starts_with(hex)) found.push_back(id);
  }
  return found;
}

}  // namespace blockarch
