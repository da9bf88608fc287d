// The functions of libarchive that we use, by their own names (base/shared_library.h). Included instead of archive.h.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include "base/result.h"

// clang-format off
#define BA_ZIP_FUNCTIONS(F) \
  F(archive_entry_filetype) \
  F(archive_entry_is_encrypted) \
  F(archive_entry_pathname) \
  F(archive_entry_pathname_utf8) \
  F(archive_error_string) \
  F(archive_read_data) \
  F(archive_read_free) \
  F(archive_read_new) \
  F(archive_read_next_header) \
  F(archive_read_open1) \
  F(archive_read_set_callback_data) \
  F(archive_read_set_read_callback) \
  F(archive_read_set_seek_callback) \
  F(archive_read_support_format_zip) \
  F(archive_set_error)
// clang-format on

namespace blockarch {

#define BA_DECLARE(name) extern decltype(&::name) name;
BA_ZIP_FUNCTIONS(BA_DECLARE)
#undef BA_DECLARE

// Once, before any of them is called.
Result<void> load_zip_library();

}  // namespace blockarch
