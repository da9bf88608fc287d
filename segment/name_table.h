// A fixed set of names with what each stands for, looked up by hash. Made by the compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace blockarch {

constexpr std::uint32_t name_hash_step(std::uint32_t hash, char c) {
  return (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
}
inline constexpr std::uint32_t kNameHashStart = 0x811c9dc5u;

constexpr std::uint32_t name_hash(std::string_view name) {
  std::uint32_t hash = kNameHashStart;
  for (const char c : name) hash = name_hash_step(hash, c);
  return hash;
}

// `Entry` has a string_view `name`; names are not empty and different from each other. `Slots` is a power of two of at
// least twice as many, so that the first look mostly decides.
template <typename Entry, std::size_t Size, std::size_t Slots>
class NameTable {
 public:
  static_assert(Slots >= 2 * Size && (Slots & (Slots - 1)) == 0 && Size < 0xffff);

  constexpr explicit NameTable(const std::array<Entry, Size>& entries) : entries_(entries) {
    for (std::size_t i = 0; i < Size; ++i) {
      std::size_t slot = first_slot(name_hash(entries[i].name));
      while (slots_[slot] != 0) slot = (slot + 1) % Slots;
      slots_[slot] = static_cast<std::uint16_t>(i + 1);
    }
  }

  constexpr const Entry* find(std::string_view name) const { return find(name, name_hash(name)); }
  constexpr const Entry* find(std::string_view name, std::uint32_t hash) const {
    for (std::size_t slot = first_slot(hash); slots_[slot] != 0; slot = (slot + 1) % Slots) {
      const Entry& entry = entries_[slots_[slot] - 1u];
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t first_slot(std::uint32_t hash) { return (hash ^ (hash >> 15)) % Slots; }

  std::array<Entry, Size> entries_;
  std::array<std::uint16_t, Slots> slots_{};  // 1 + an index into entries_
};

}  // namespace blockarch
