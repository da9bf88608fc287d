// The file `format` of an archive: two lines of text that say what the directory is, so that a program of any age knows
// whether it may read it (docs/format.md, "format").
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "base/result.h"

namespace blockarch {

inline constexpr char kFormatFile[] = "format";
inline constexpr std::uint32_t kFormatVersion = 1;
// No `format` file is longer, of whatever version.
inline constexpr std::uint64_t kMaxFormatFile = 4096;

struct ArchiveFormat {
  std::uint32_t version = kFormatVersion;
};

Bytes encode_archive_format();
// Corrupt where these bytes are not the file's; unsupported for a newer version, whatever follows its first line.
Result<ArchiveFormat> decode_archive_format(ByteView bytes);

}  // namespace blockarch
