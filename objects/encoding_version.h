// The first byte of every structured encoding (all kinds but `block`): its version. A reader refuses a newer one.
#pragma once

#include <string>

#include "base/coding.h"

namespace blockarch {

inline constexpr std::uint8_t kEncodingVersion = 1;

inline void put_encoding_version(Bytes& out) {
  out.push_back(static_cast<char>(kEncodingVersion));
}

inline Result<void> read_encoding_version(ByteReader& reader, std::string_view what) {
  const std::uint8_t version = reader.byte();
  if (!reader.ok() || version == 0) return Error{ErrorCode::corrupt, std::string(what) + " has no encoding version"};
  if (version > kEncodingVersion) {
    return Error{ErrorCode::unsupported, std::string(what) + " is encoded by a newer blockarch (version " +
                                             std::to_string(version) + "): use that one to read it"};
  }
  return {};
}

}  // namespace blockarch
