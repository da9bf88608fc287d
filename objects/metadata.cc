#include "objects/metadata.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/coding.h"
#include "objects/encoding_version.h"

namespace blockarch {

Result<Metadata> make_metadata(std::vector<std::pair<std::string, std::string>> entries) {
  if (entries.size() > kMaxMetadataEntries) {
    return Error{ErrorCode::invalid,
                 fmt::format("{} metadata entries are too many: at most {}", entries.size(), kMaxMetadataEntries)};
  }
  for (const auto& [key, value] : entries) {
    if (key.empty()) return Error{ErrorCode::invalid, "a metadata key is empty: write key=value"};
    if (key.size() > kMaxMetadataKey) {
      return Error{ErrorCode::invalid,
                   fmt::format("metadata key '{}…' is too long: at most {} bytes", key.substr(0, 32), kMaxMetadataKey)};
    }
    if (value.size() > kMaxMetadataValue) {
      return Error{ErrorCode::invalid,
                   fmt::format("metadata value of '{}' is too long: at most {} bytes", key, kMaxMetadataValue)};
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return Metadata{std::move(entries)};
}

Bytes encode_metadata(const Metadata& metadata) {
  Bytes out;
  put_encoding_version(out);
  put_varint(out, metadata.entries.size());
  for (const auto& [key, value] : metadata.entries) {
    put_string(out, key);
    put_string(out, value);
  }
  return out;
}

Result<Metadata> decode_metadata(ByteView content) {
  ByteReader reader(content);
  BA_TRY(read_encoding_version(reader, "metadata"));
  const std::uint64_t count = reader.varint_up_to(kMaxMetadataEntries);
  Metadata metadata;
  for (std::uint64_t i = 0; reader.ok() && i < count; ++i) {
    const ByteView key = reader.string(kMaxMetadataKey);
    const ByteView value = reader.string(kMaxMetadataValue);
    const bool sorted = metadata.entries.empty() || metadata.entries.back().first <= key;
    if (key.empty() || !sorted) reader.fail();
    metadata.entries.emplace_back(key, value);
  }
  BA_TRY(reader.finish("metadata"));
  return metadata;
}

MetadataId id_of(const Metadata& metadata) {
  return {hash_object(ObjectKind::metadata, encode_metadata(metadata))};
}

}  // namespace blockarch
