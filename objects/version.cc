#include "objects/version.h"

#include "base/coding.h"
#include "objects/encoding_version.h"

namespace blockarch {
namespace {
constexpr std::uint64_t kMaxName = 255;
constexpr std::uint64_t kMaxStoredLevel = 255;
}  // namespace

Bytes encode_version(const Version& version) {
  Bytes out;
  put_encoding_version(out);
  put_varint(out, version.payload_size);
  put_string(out, version.media_type);
  put_string(out, version.charset);
  put_string(out, version.segmenter);
  put_varint(out, version.level);
  put_hash(out, version.payload_hash);
  put_hash(out, version.layout.hash);
  put_hash(out, version.tree.hash);
  return out;
}

Result<Version> decode_version(ByteView content) {
  ByteReader reader(content);
  BA_TRY(read_encoding_version(reader, "version"));
  Version version;
  version.payload_size = reader.varint_up_to(kMaxPayload);
  version.media_type = reader.string(kMaxName);
  version.charset = reader.string(kMaxName);
  version.segmenter = reader.string(kMaxName);
  version.level = static_cast<std::uint32_t>(reader.varint_up_to(kMaxStoredLevel));
  version.payload_hash = reader.hash();
  version.layout.hash = reader.hash();
  version.tree.hash = reader.hash();
  BA_TRY(reader.finish("version"));
  return version;
}

VersionId id_of(const Version& version) {
  return {hash_object(ObjectKind::version, encode_version(version))};
}

}  // namespace blockarch
