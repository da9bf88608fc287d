// Object kinds and ids. An object is immutable bytes ("content"); its id is BLAKE3-256 over
//   <kind name> SP <decimal length> NUL <content>
// so objects of different kinds never share an id, and any id can be checked with b3sum.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/result.h"

namespace blockarch {

// The numbers are part of the format.
enum class ObjectKind : std::uint8_t {
  block = 1,     // a contiguous byte range of a page, or a chunk of a long one
  list = 2,      // a long block as the chunks it is made of
  layout = 3,    // the rest of a page, with slots where the blocks go
  tree = 4,      // the nested blocks of a page
  version = 5,   // a page: payload hash, layout, tree, how it was cut
  metadata = 6,  // key/value pairs about a capture or a URL
};

std::string_view kind_name(ObjectKind kind);
// Corrupt where the number is none of the kinds.
Result<ObjectKind> kind_from_number(std::uint8_t number);

// No object is larger; readers refuse a larger declared size before they allocate.
inline constexpr std::uint64_t kMaxObjectSize = std::uint64_t{128} << 20;

// Ids of different kinds are different types: a LayoutId cannot be passed where a TreeId is meant.
template <ObjectKind Kind>
struct Id {
  static constexpr ObjectKind kKind = Kind;
  Hash256 hash;
  auto operator<=>(const Id&) const = default;
};
using BlockId = Id<ObjectKind::block>;
using ListId = Id<ObjectKind::list>;
using LayoutId = Id<ObjectKind::layout>;
using TreeId = Id<ObjectKind::tree>;
using VersionId = Id<ObjectKind::version>;
using MetadataId = Id<ObjectKind::metadata>;

// An id whose kind is known only at run time.
struct ObjectId {
  ObjectKind kind = ObjectKind::block;
  Hash256 hash;

  ObjectId() = default;
  ObjectId(ObjectKind k, const Hash256& h) : kind(k), hash(h) {}
  template <ObjectKind Kind>
  ObjectId(const Id<Kind>& id) : kind(Kind), hash(id.hash) {}
  auto operator<=>(const ObjectId&) const = default;

  // "layout 1f3a…", for messages.
  std::string text() const;
};

Hash256 hash_object(ObjectKind kind, ByteView content);

// How many hex digits messages and tables show.
inline constexpr std::size_t kShortIdDigits = 12;
std::string short_id(const Hash256& hash);

}  // namespace blockarch
