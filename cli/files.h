// Files that are not the archive's: what goes in and what comes out.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

// The bytes of a file, or of standard input for "-". A missing file is `io`, not `not_found`: that one means
// the archive. too_large over `limit`; `invalid` where standard input is a terminal, since nobody meant to
// type a page.
Result<Bytes> read_input(const std::string& path, std::uint64_t limit);

// Writes the whole file or nothing: a temporary file beside it is renamed into place, and removed where a
// signal ends the program before. What is no regular file (a device, a pipe) is written to directly.
Result<void> write_output_file(const std::string& path, ByteView bytes);

}  // namespace blockarch
