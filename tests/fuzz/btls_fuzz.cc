// Any bytes through btls. Byte 0 chooses the profile and the charset, byte 1 the level, the rest is the payload.
#include <array>
#include <cstdint>

#include "tests/fuzz/segmenter_checks.h"

using namespace blockarch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<const char*, 6> kProfiles = {"", "paper", "latin", "paper,cjk", "paper,latin", "cjk"};
  static constexpr std::array<const char*, 4> kCharsets = {"utf-8", "windows-1252", "gbk", "shift_jis"};
  if (size < 2) return 0;
  SegmentOptions options;
  options.media_type = "text/html";
  options.profile = kProfiles[data[0] % kProfiles.size()];
  options.charset = kCharsets[data[0] / 64];
  options.level = data[1] % (kMaxLevel + 1);
  check_segmenter(**find_segmenter("btls"), {reinterpret_cast<const char*>(data) + 2, size - 2}, options);
  return 0;
}
