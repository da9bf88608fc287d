// Key/value pairs about a capture. A key may occur more than once, as HTTP fields do.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_id.h"

namespace blockarch {

inline constexpr std::size_t kMaxMetadataKey = 255;
inline constexpr std::size_t kMaxMetadataValue = 1 << 20;
inline constexpr std::size_t kMaxMetadataEntries = 4096;

struct Metadata {
  // Sorted by key; values of one key stay in the order they came.
  std::vector<std::pair<std::string, std::string>> entries;

  bool empty() const { return entries.empty(); }
  bool operator==(const Metadata&) const = default;
};

// Sorts and checks the limits: invalid for an empty or overlong key or value, or too many of them.
Result<Metadata> make_metadata(std::vector<std::pair<std::string, std::string>> entries);

Bytes encode_metadata(const Metadata& metadata);
Result<Metadata> decode_metadata(ByteView content);
MetadataId id_of(const Metadata& metadata);

}  // namespace blockarch
