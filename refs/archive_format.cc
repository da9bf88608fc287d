#include "refs/archive_format.h"

#include <fmt/format.h>

#include <charconv>

namespace blockarch {
namespace {

constexpr ByteView kVersionLine = "blockarch archive ";
constexpr ByteView kHashLine = "hash blake3\n";

Error not_the_format() {
  return {ErrorCode::corrupt, "the file 'format' is not that of a blockarch archive"};
}

}  // namespace

Bytes encode_archive_format() {
  return fmt::format("{}{}\n{}", kVersionLine, kFormatVersion, kHashLine);
}

// The version is looked at before anything else: a newer format may have other lines after it.
Result<ArchiveFormat> decode_archive_format(ByteView bytes) {
  if (!bytes.starts_with(kVersionLine)) return not_the_format();
  bytes.remove_prefix(kVersionLine.size());
  const std::size_t line_end = bytes.find('\n');
  if (line_end == ByteView::npos) return not_the_format();
  const ByteView digits = bytes.substr(0, line_end);
  ArchiveFormat format;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), format.version);
  if (error != std::errc() || end != digits.data() + digits.size() || digits[0] == '0') return not_the_format();
  if (format.version > kFormatVersion) {
    return Error{ErrorCode::unsupported, fmt::format("archive format {} is newer than this program knows ({}): use a "
                                                     "newer blockarch",
                                                     format.version, kFormatVersion)};
  }
  if (bytes.substr(line_end + 1) != kHashLine) return not_the_format();
  return format;
}

}  // namespace blockarch
