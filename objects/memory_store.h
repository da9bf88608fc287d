// Objects in memory, for tests and for looking at a page without an archive.
#pragma once

#include <map>

#include "objects/object_source.h"

namespace blockarch {

class MemoryStore : public ObjectSource {
 public:
  Hash256 put(ObjectKind kind, ByteView content);

  Result<std::optional<Object>> find(const Hash256& id) const override;
  Result<bool> contains(const Hash256& id) const override;
  Result<std::vector<Hash256>> find_prefix(std::string_view hex, std::size_t limit) const override;

  std::size_t size() const { return objects_.size(); }

 private:
  std::map<Hash256, Object> objects_;
};

}  // namespace blockarch
