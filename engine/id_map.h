// Ids to numbers for whole archives: 27 to 40 bytes an entry instead of the hundred of a node-based map. Keys are the first
// 16 bytes of an id, which nobody can make two objects share.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/coding.h"
#include "base/hash.h"

namespace blockarch {

class IdMap {
 public:
  std::optional<std::uint32_t> find(const Hash256& id) const {
    if (keys_.empty()) return std::nullopt;
    const std::size_t at = place_of(key_of(id));
    return values_[at] == kUnused ? std::nullopt : std::optional(values_[at]);
  }

  // Keeps the value of an id that is there already; tells whether it was added. The greatest number is no value.
  bool add(const Hash256& id, std::uint32_t value) {
    assert(value != kUnused);
    if ((size_ + 1) * 4 > keys_.size() * 3) grow();
    return put(key_of(id), value);
  }

  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kUnused = UINT32_MAX;
  struct Key {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    bool operator==(const Key&) const = default;
  };

  static Key key_of(const Hash256& id) {
    ByteReader reader(id.view());
    const std::uint64_t a = reader.fixed64();
    return {a, reader.fixed64()};
  }

  // Where the key stands, or would. Ids are as good as random: the remainder spreads them.
  std::size_t place_of(const Key& key) const {
    std::size_t at = key.a % keys_.size();
    while (values_[at] != kUnused && keys_[at] != key) at = at + 1 == keys_.size() ? 0 : at + 1;
    return at;
  }

  bool put(const Key& key, std::uint32_t value) {
    const std::size_t at = place_of(key);
    if (values_[at] != kUnused) return false;
    keys_[at] = key;
    values_[at] = value;
    ++size_;
    return true;
  }

  // By half, so that little stands empty.
  void grow() {
    constexpr std::size_t kLeast = 1024;
    IdMap larger;
    const std::size_t slots = keys_.empty() ? kLeast : keys_.size() + keys_.size() / 2;
    larger.keys_.resize(slots);
    larger.values_.resize(slots, kUnused);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (values_[i] != kUnused) larger.put(keys_[i], values_[i]);
    }
    *this = std::move(larger);
  }

  std::vector<Key> keys_;
  std::vector<std::uint32_t> values_;
  std::size_t size_ = 0;
};

}  // namespace blockarch
