// Where in memory the open LMDB files are, for signal handlers.
#pragma once

#include <cstdint>

namespace blockarch::lmdb_detail {

// Notes the map of `size` bytes of the file behind `descriptor`. Gives a slot for forget_memory_map, -1 where there is
// none left or the system does not tell where the map is.
int note_memory_map(int descriptor, std::uint64_t size);
// Before the map goes away. Does nothing for -1.
void forget_memory_map(int slot);

// Lets go of the memory that the map's pages take in this process; they are read again from the file when they are needed.
// The map must stay while it is called.
void release_memory_map(int slot);

// Async-signal-safe.
bool is_in_memory_map(const void* address);

}  // namespace blockarch::lmdb_detail
