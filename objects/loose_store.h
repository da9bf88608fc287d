// Recent objects, one by one in an LMDB table: key = id, value = a small head and the content, compressed where that
// helps, and for trees, layouts and lists as the difference from an earlier object of the same kind (docs/format.md, "Loose
// objects").
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/lmdb.h"
#include "objects/object_source.h"
#include "objects/recent_bases.h"

namespace blockarch {

inline constexpr char kLooseTable[] = "objects";

// How long a chain of differences may be: what a read costs at worst.
inline constexpr std::uint8_t kMaxLooseDepth = 24;

// An object ready to be stored: hashing and compression are done outside any transaction.
struct LooseObject {
  ObjectId id;
  Bytes value;  // head and compressed content
};

// What an object may be stored as a difference from.
struct LooseBase {
  Hash256 id;
  std::uint8_t depth = 0;  // differences already below it
  Bytes content;
};

// `id` is the content's, already computed. The base is used where it makes the value clearly smaller.
LooseObject make_loose_object(const ObjectId& id, ByteView content, const LooseBase* base = nullptr);

// Objects as of one transaction, which must outlive this.
class LooseStore : public ObjectSource {
 public:
  // What objects are stored as differences from may have moved `elsewhere`, which must outlive this.
  LooseStore(const ReadTransaction& transaction, Table table, const ObjectSource* elsewhere = nullptr)
      : transaction_(transaction), table_(table), elsewhere_(elsewhere) {}

  Result<std::optional<Object>> find(const Hash256& id) const override;
  Result<bool> contains(const Hash256& id) const override;
  Result<std::vector<Hash256>> find_prefix(std::string_view hex, std::size_t limit) const override;

  // The object as a base for another one; nothing where it is not here or has kMaxLooseDepth differences below it.
  Result<std::optional<LooseBase>> find_base(const Hash256& id) const;

  // For checkers: the object that this one is stored as a difference from, and how it is stored.
  struct Stored {
    ObjectKind kind = ObjectKind::block;
    std::uint64_t size = 0;
    std::uint8_t depth = 0;
    std::optional<Hash256> base;
  };
  static Result<Stored> describe(ByteView value);

 private:
  struct Found {
    Object object;
    std::uint8_t depth = 0;
  };
  // An object with more than `max_depth` differences below it is damaged.
  Result<std::optional<Found>> find_stored(const Hash256& id, std::uint8_t max_depth = kMaxLooseDepth) const;
  // Of what another one is the difference from; nullptr where it is nowhere.
  Result<std::shared_ptr<const Bytes>> find_base_content(const Hash256& id, std::uint8_t max_depth) const;

  const ReadTransaction& transaction_;
  Table table_;
  const ObjectSource* elsewhere_;
  mutable RecentBases recent_bases_;
};

}  // namespace blockarch
