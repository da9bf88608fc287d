// Any bytes, as any kind of document, at any level: regions are well formed, the same every time, and the
// page joins again from its blocks and layout.
//
// Byte 0 chooses the media type and the charset, byte 1 the level, the rest is the payload.
#include <array>
#include <cstdint>

#include "tests/fuzz/segmenter_checks.h"

using namespace blockarch;

namespace {

SegmentOptions options_from(std::uint8_t kind, std::uint8_t level) {
  static constexpr std::array<const char*, 6> kTypes = {"text/html", "",          "application/xhtml+xml",
                                                        "text/xml",  "text/html", "application/rss+xml"};
  static constexpr std::array<const char*, 4> kCharsets = {"utf-8", "windows-1252", "shift_jis", "utf-16le"};
  SegmentOptions options;
  options.media_type = kTypes[kind % kTypes.size()];
  options.charset = kCharsets[kind / 64];
  options.level = level % 2 == 0 ? 0 : level / 2 % (kMaxLevel + 1);
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const SegmentOptions options = options_from(data[0], data[1]);
  const ByteView payload(reinterpret_cast<const char*>(data) + 2, size - 2);
  check_segmenter(**find_segmenter("auto"), payload, options);
  return 0;
}
