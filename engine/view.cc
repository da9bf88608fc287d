#include "engine/view.h"

#include <algorithm>

#include "refs/payload_index.h"

namespace blockarch {

VersionFacts facts_of(const Version& version) {
  return {head_of(version.payload_hash),
          version.payload_size,
          {version.media_type, version.charset, version.segmenter, version.level}};
}

Result<VersionId> View::version_id(VersionNumber number) const {
  if (const auto packed = objects.packed_version(number.value)) {
    BA_ASSIGN(const Hash256 id, packed->pack->version_id(packed->ordinal));
    return VersionId{id};
  }
  return id_of_number(transaction_, tables.version_numbers, number);
}

Result<MetadataId> View::metadata_id(MetadataNumber number) const {
  if (const auto packed = objects.packed_metadata(number.value)) {
    BA_ASSIGN(const Hash256 id, packed->pack->metadata_id(packed->ordinal));
    return MetadataId{id};
  }
  return id_of_number(transaction_, tables.metadata_numbers, number);
}

Result<Bytes> View::metadata_content(MetadataNumber number) const {
  if (const auto packed = objects.packed_metadata(number.value)) {
    BA_ASSIGN(const Pack::Content content, packed->pack->metadata(packed->ordinal));
    return Bytes(content.bytes());
  }
  BA_ASSIGN(const MetadataId id, id_of_number(transaction_, tables.metadata_numbers, number));
  return load(objects, id);
}

Result<Metadata> View::metadata(MetadataNumber number) const {
  if (const auto packed = objects.packed_metadata(number.value)) {
    BA_ASSIGN(const Pack::Content content, packed->pack->metadata(packed->ordinal));
    return decode_metadata(content.bytes());
  }
  BA_ASSIGN(const MetadataId id, id_of_number(transaction_, tables.metadata_numbers, number));
  return load_metadata(objects, id);
}

Result<VersionFacts> View::facts(VersionNumber number) const {
  if (const auto packed = objects.packed_version(number.value)) return objects.facts(*packed);
  BA_ASSIGN(const VersionId id, id_of_number(transaction_, tables.version_numbers, number));
  BA_ASSIGN(const Version version, load_version(objects, id));
  return facts_of(version);
}

Result<VersionFacts> View::facts(const VersionId& id) const {
  BA_ASSIGN(const bool loose, objects.loose().contains(id.hash));
  if (!loose) {
    BA_ASSIGN(const auto packed, objects.find_packed_version(id));
    if (packed) return objects.facts(*packed);
  }
  BA_ASSIGN(const Version version, load_version(objects, id));
  return facts_of(version);
}

Result<Hash256> View::payload_hash(VersionNumber number) const {
  if (const auto packed = objects.packed_version(number.value)) {
    Hash256 hash;
    BA_TRY(objects.page(*packed, &hash));
    return hash;
  }
  BA_ASSIGN(const VersionId id, id_of_number(transaction_, tables.version_numbers, number));
  BA_ASSIGN(const Version version, load_version(objects, id));
  return version.payload_hash;
}

Result<std::vector<VersionNumber>> View::find_payload(const Hash256& payload) const {
  BA_ASSIGN(auto numbers, blockarch::find_payload(transaction_, tables.payloads, payload));
  for (const auto& pack : objects.packs()) {
    BA_ASSIGN(const auto ordinals, pack->versions_with_payload(head_of(payload)));
    for (const std::uint32_t ordinal : ordinals) numbers.push_back({pack->version_number(ordinal)});
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Result<std::uint32_t> View::version_count() const {
  BA_ASSIGN(std::uint32_t count, number_table::count(transaction_, tables.version_numbers));
  for (const auto& pack : objects.packs()) {
    for (const NumberRun& run : pack->directory().version_numbers) count = std::max(count, run.number + run.length);
  }
  return count;
}

Result<std::uint32_t> View::metadata_count() const {
  BA_ASSIGN(std::uint32_t count, number_table::count(transaction_, tables.metadata_numbers));
  for (const auto& pack : objects.packs()) {
    for (const NumberRun& run : pack->directory().metadata_numbers) count = std::max(count, run.number + run.length);
  }
  return count;
}

}  // namespace blockarch
