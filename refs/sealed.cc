#include "refs/sealed.h"

#include <fmt/format.h>

#include "base/coding.h"

namespace blockarch {
namespace {
constexpr std::size_t kSealSize = 4;
}

Bytes seal(ByteView key, Bytes body) {
  put_fixed32(body, checksum32(key, body));
  return body;
}

Result<ByteView> unseal(ByteView key, ByteView value, std::string_view table) {
  if (value.size() >= kSealSize) {
    const ByteView body = value.substr(0, value.size() - kSealSize);
    if (ByteReader(value.substr(body.size())).fixed32() == checksum32(key, body)) return body;
  }
  return Error{ErrorCode::corrupt, fmt::format("an entry of table {} is damaged (key {}): run blockarch fsck", table,
                                               to_hex(key.substr(0, 24)))};
}

}  // namespace blockarch
