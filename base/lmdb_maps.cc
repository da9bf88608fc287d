#include "base/lmdb_maps.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <climits>
#include <fstream>
#include <string>
#include <string_view>

namespace blockarch::lmdb_detail {
namespace {

// A slot is taken while `taken` is set and valid while `end` is not 0. `begin` is written first and `end` last, so that
// a handler in the middle sees an empty range.
struct Slot {
  std::atomic<bool> taken;
  std::atomic<std::uintptr_t> begin;
  std::atomic<std::uintptr_t> end;
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);
std::array<Slot, 64> slots;

// LMDB does not tell where its map is. Linux does, by the same name that it gives to the descriptor:
//   7f1200000000-7f1240000000 r--s 00000000 fe:00 1234     /archive/hot.mdb
std::uintptr_t find_map(int descriptor, std::uint64_t size) {
  std::string name(PATH_MAX, '\0');
  const ssize_t length = ::readlink(fmt::format("/proc/self/fd/{}", descriptor).c_str(), name.data(), name.size());
  if (length <= 0) return 0;
  name.resize(static_cast<std::size_t>(length));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos || std::string_view(line).substr(path) != name) continue;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const char* last = line.data() + line.size();
    const auto first = std::from_chars(line.data(), last, begin, 16);
    if (first.ec != std::errc() || first.ptr == last) continue;
    if (std::from_chars(first.ptr + 1, last, end, 16).ec == std::errc() && end - begin >= size) return begin;
  }
  return 0;
}

}  // namespace

int note_memory_map(int descriptor, std::uint64_t size) {
  const std::uintptr_t begin = find_map(descriptor, size);
  if (begin == 0) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    slots[i].begin = begin;
    slots[i].end = begin + size;
    return static_cast<int>(i);
  }
  return -1;
}

void forget_memory_map(int slot) {
  if (slot < 0) return;
  Slot& s = slots[static_cast<std::size_t>(slot)];
  s.end = 0;
  s.taken = false;
}

void release_memory_map(int slot) {
  if (slot < 0) return;
  const Slot& s = slots[static_cast<std::size_t>(slot)];
  const std::uintptr_t begin = s.begin;
  const std::uintptr_t end = s.end;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

bool is_in_memory_map(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  for (const Slot& s : slots) {
    const std::uintptr_t end = s.end;
    if (place < end && place >= s.begin) return true;
  }
  return false;
}

}  // namespace blockarch::lmdb_detail
