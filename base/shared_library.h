// Shared libraries that are loaded when they are first needed: they bring a dozen others with them, which would double the
// time in which the program starts, and most commands use none of them.
//
// Where a namespace of ours declares a pointer with the name of a C function,
//   namespace blockarch { extern decltype(&::git_blob_free) git_blob_free; }
// a plain call in that namespace means the pointer, so code reads as if the library were linked. load_functions() sets the
// pointers; whoever calls through one must have loaded it.
#pragma once

#include <span>

#include "base/result.h"

namespace blockarch {

struct LibraryFunction {
  const char* name;
  void** pointer;
};

// Unsupported, in words for whoever runs the program, where the library or one of the functions is not there; then nothing
// is set. The library stays loaded for as long as the process lives.
Result<void> load_functions(const char* library, std::span<const LibraryFunction> functions);

}  // namespace blockarch
