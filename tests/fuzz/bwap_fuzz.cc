// Any bytes through bwap. Byte 0 chooses the profile, the media type and the charset, byte 1 the level, the rest is the
// payload.
#include <array>
#include <cstdint>

#include "tests/fuzz/segmenter_checks.h"

using namespace blockarch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<const char*, 4> kTypes = {"text/html", "", "text/plain", "application/xhtml+xml"};
  static constexpr std::array<const char*, 4> kCharsets = {"utf-8", "windows-1252", "gbk", "utf-16le"};
  if (size < 2) return 0;
  SegmentOptions options;
  options.profile = data[0] % 2 == 0 ? "modern" : "2008";
  options.media_type = kTypes[data[0] / 2 % kTypes.size()];
  options.charset = kCharsets[data[0] / 64];
  options.level = data[1] % (kMaxLevel + 1);
  check_segmenter(**find_segmenter("bwap"), {reinterpret_cast<const char*>(data) + 2, size - 2}, options);
  return 0;
}
