// A version: one page as it was, whoever captured it and whenever. It names no URL and no time, so a page that returns,
// or that stands at two URLs, is one version; refs say when and where it was seen.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_id.h"

namespace blockarch {

inline constexpr std::uint64_t kMaxPayload = std::uint64_t{2} << 30;

// What a version says of its page.
struct PageFacts {
  Hash256 payload_hash;  // plain BLAKE3 of the page's bytes, as b3sum prints it
  std::uint64_t payload_size = 0;
  std::string media_type;   // "text/html"
  std::string charset;      // WHATWG name; empty where the payload is not text
  std::string segmenter;    // who cut it
  std::uint32_t level = 0;  // the partition level asked for; 0 = the segmenter's own choice

  bool operator==(const PageFacts&) const = default;
};

struct Version : PageFacts {
  LayoutId layout;
  TreeId tree;

  bool operator==(const Version&) const = default;
};

Bytes encode_version(const Version& version);
Result<Version> decode_version(ByteView content);
VersionId id_of(const Version& version);

}  // namespace blockarch
