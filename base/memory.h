// Memory of the process as a whole.
#pragma once

namespace blockarch {

// Gives back to the system what was freed and is kept for later, where the C library can. Takes some milliseconds.
void return_free_memory();

}  // namespace blockarch
