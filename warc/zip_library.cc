#include "warc/zip_library.h"

#include <array>

#include "base/shared_library.h"

namespace blockarch {

#define BA_DEFINE(name) decltype(&::name) name = nullptr;
BA_ZIP_FUNCTIONS(BA_DEFINE)
#undef BA_DEFINE

Result<void> load_zip_library() {
#define BA_ENTRY(name) LibraryFunction{#name, reinterpret_cast<void**>(&name)},
  static const std::array functions{BA_ZIP_FUNCTIONS(BA_ENTRY)};
#undef BA_ENTRY
  static const Result<void> loaded = load_functions(BLOCKARCH_LIBARCHIVE, functions);
  return loaded;
}

}  // namespace blockarch
