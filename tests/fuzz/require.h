// Ends a fuzz target where something does not hold.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace blockarch {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

}  // namespace blockarch
