#include "base/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

namespace blockarch {

Result<void> load_functions(const char* library, std::span<const LibraryFunction> functions) {
  void* const loaded = ::dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (loaded == nullptr) {
    return Error{ErrorCode::unsupported, fmt::format("this needs {}, which cannot be loaded: install it", library)};
  }
  std::vector<void*> found;
  for (const LibraryFunction& function : functions) {
    found.push_back(::dlsym(loaded, function.name));
    if (found.back() == nullptr) {
      return Error{ErrorCode::unsupported,
                   fmt::format("{} has no function {}: another version of it is needed", library, function.name)};
    }
  }
  for (std::size_t i = 0; i < functions.size(); ++i) *functions[i].pointer = found[i];
  return {};
}

}  // namespace blockarch
