// Ids to numbers for whole archives: 24 bytes a slot instead of the hundred of a node-based map. Keys are the first 16
// bytes of an id, which nobody can make two objects share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/coding.h"
#include "base/hash.h"

namespace blockarch {

class IdMap {
 public:
  std::optional<std::uint32_t> find(const Hash256& id) const {
    if (slots_.empty()) return std::nullopt;
    const Key key = key_of(id);
    for (std::size_t at = key.a & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (!slots_[at].used) return std::nullopt;
      if (slots_[at].key == key) return slots_[at].value;
    }
  }

  // Keeps the value of an id that is there already; tells whether it was added.
  bool add(const Hash256& id, std::uint32_t value) {
    if ((size_ + 1) * 3 > slots_.size() * 2) grow();
    const bool added = place(slots_, {key_of(id), value, true});
    if (added) ++size_;
    return added;
  }

  std::size_t size() const { return size_; }

 private:
  struct Key {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    bool operator==(const Key&) const = default;
  };
  struct Slot {
    Key key;
    std::uint32_t value = 0;
    bool used = false;
  };

  static Key key_of(const Hash256& id) {
    ByteReader reader(id.view());
    const std::uint64_t a = reader.fixed64();
    return {a, reader.fixed64()};
  }

  static bool place(std::vector<Slot>& slots, const Slot& slot) {
    std::size_t at = slot.key.a & (slots.size() - 1);
    while (slots[at].used) {
      if (slots[at].key == slot.key) return false;
      at = (at + 1) & (slots.size() - 1);
    }
    slots[at] = slot;
    return true;
  }

  void grow() {
    constexpr std::size_t kLeast = 1024;
    std::vector<Slot> larger(slots_.empty() ? kLeast : slots_.size() * 2);
    for (const Slot& slot : slots_) {
      if (slot.used) place(larger, slot);
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace blockarch
