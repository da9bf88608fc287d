#include "transfer/git_library.h"

#include <array>

#include "base/shared_library.h"

namespace blockarch {

#define BA_DEFINE(name) decltype(&::name) name = nullptr;
BA_GIT_FUNCTIONS(BA_DEFINE)
#undef BA_DEFINE

namespace {

// Commits and trees that libgit2 keeps, of all handles together; its own limit of 256 MiB is more than an import has.
constexpr ssize_t kCacheBytes = ssize_t{32} << 20;

Result<void> load_and_start() {
#define BA_ENTRY(name) LibraryFunction{#name, reinterpret_cast<void**>(&name)},
  const std::array functions{BA_GIT_FUNCTIONS(BA_ENTRY)};
#undef BA_ENTRY
  BA_TRY(load_functions(BLOCKARCH_LIBGIT2, functions));
  git_libgit2_init();
  git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, kCacheBytes);
  return {};
}

}  // namespace

Result<void> load_git_library() {
  static const Result<void> loaded = load_and_start();
  return loaded;
}

}  // namespace blockarch
