// What the check knows of every object of the archive: enough to follow references without reading objects again.
// Memory: some eighty bytes an object, which is what a whole-archive check costs for now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "objects/object_id.h"

namespace blockarch {

class ObjectCatalog {
 public:
  struct Entry {
    ObjectKind kind = ObjectKind::block;
    bool reached = false;    // something refers to it
    bool followed = false;   // what it refers to has been looked at
    std::uint64_t size = 0;  // of a block; of what the chunks of a list make; else of the content
  };

  Entry& add(const Hash256& id, const Entry& entry) { return entries_[id] = entry; }
  // nullptr where the object is not here.
  Entry* find(const Hash256& id);

  // The object cannot be read, or something that it needs cannot.
  void set_broken(const Hash256& id, std::string why) { broken_.try_emplace(id, std::move(why)); }
  // Why it is broken; nullptr where it is not.
  const std::string* why_broken(const Hash256& id) const;

  void set_base(const Hash256& id, const Hash256& base) { bases_.emplace(id, base); }
  // Marks what reached objects are stored as differences from.
  void reach_bases();

  std::uint64_t count_unreached() const;

 private:
  std::unordered_map<Hash256, Entry> entries_;
  std::unordered_map<Hash256, std::string> broken_;
  std::unordered_map<Hash256, Hash256> bases_;
};

}  // namespace blockarch
