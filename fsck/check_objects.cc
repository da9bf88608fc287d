#include <fmt/format.h>

#include "fsck/inspection.h"

namespace blockarch {
namespace {

constexpr char kStage[] = "objects";

class ObjectCheck {
 public:
  explicit ObjectCheck(Inspection& inspection) : in_(inspection) {}

  Result<void> check(const KeyValue& at) {
    ++in_.report.objects;
    if (at.key.size() != sizeof(Hash256::bytes)) {
      return damaged(findings::kObjectMalformed, fmt::format("the key {} of table {} is not an object id",
                                                             to_hex(at.key.substr(0, 32)), kLooseTable));
    }
    const Hash256 id = Hash256::from_bytes(at.key);
    ObjectCatalog::Entry& entry = in_.catalog.add(id, {});
    const auto stored = LooseStore::describe(at.value);
    if (!stored) {
      return broken(id, findings::kObjectDamaged,
                    fmt::format("object {} is damaged: {}", short_id(id), stored.error().message));
    }
    entry.kind = stored->kind;
    entry.size = stored->size;
    if (stored->base) {
      BA_ASSIGN(const bool sound, check_base(id, *stored));
      if (!sound) return {};
    }
    auto object = in_.store.find(id);
    if (!object && object.error().code != ErrorCode::corrupt) return object.error();
    if (!object) {
      return broken(id, findings::kObjectDamaged,
                    fmt::format("{} cannot be read: {}", ObjectId(stored->kind, id).text(), object.error().message));
    }
    return check_encoding(id, object->value(), entry);
  }

 private:
  Result<void> damaged(const FindingKind& kind, std::string message) {
    in_.log.add(kind, std::move(message));
    return {};
  }

  Result<void> broken(const Hash256& id, const FindingKind& kind, const std::string& message) {
    in_.catalog.set_broken(id, message);
    return damaged(kind, message);
  }

  // False where the base is missing or does not fit: that is said already.
  Result<bool> check_base(const Hash256& id, const LooseStore::Stored& stored) {
    in_.catalog.set_base(id, *stored.base);
    BA_ASSIGN(const auto value, in_.transaction.get(in_.tables.objects, stored.base->view()));
    const std::string name = ObjectId(stored.kind, id).text();
    // Packing may have moved the base; reading the object tells whether it is the right one.
    if (!value && look_in_packs(in_, stored.kind, *stored.base) != Held::no) return true;
    if (!value) {
      BA_TRY(broken(
          id, findings::kObjectBaseMissing,
          fmt::format("{} is stored as a difference from object {}, which is missing", name, short_id(*stored.base))));
      return false;
    }
    // The base may have been stored anew, with fewer differences below it; with more, a read would not know where to end.
    const auto base = LooseStore::describe(*value);
    if (!base || base->depth < stored.depth) return true;
    BA_TRY(broken(id, findings::kObjectDepthWrong,
                  fmt::format("{} says at most {} differences stand below it, its base {} alone says {}", name,
                              stored.depth, short_id(*stored.base), base->depth)));
    return false;
  }

  Result<void> check_encoding(const Hash256& id, const Object& object, ObjectCatalog::Entry& entry) {
    Result<void> decoded;
    const auto keep = [&](const auto& result) {
      if (!result) decoded = result.error();
      return result.has_value();
    };
    switch (object.kind) {
      case ObjectKind::block:
        break;
      case ObjectKind::list:
        if (const auto list = decode_block_list(object.content); keep(list)) entry.size = list->size();
        break;
      case ObjectKind::layout:
        keep(decode_layout(object.content));
        break;
      case ObjectKind::tree:
        keep(decode_block_tree(object.content));
        break;
      case ObjectKind::version:
        keep(decode_version(object.content));
        break;
      case ObjectKind::metadata:
        keep(decode_metadata(object.content));
        break;
    }
    if (decoded) return {};
    return broken(id, findings::kObjectMalformed,
                  fmt::format("{} has the right hash and cannot be decoded: {}", ObjectId(object.kind, id).text(),
                              decoded.error().message));
  }

  Inspection& in_;
};

}  // namespace

Result<void> check_objects(Inspection& in) {
  BA_ASSIGN(const TableStats stats, in.transaction.stats(in.tables.objects));
  BA_ASSIGN(Cursor cursor, in.transaction.cursor(in.tables.objects));
  ObjectCheck check(in);
  BA_ASSIGN(auto at, cursor.first());
  while (at) {
    BA_TRY(check.check(*at));
    in.progress(kStage, in.report.objects, stats.entries);
    BA_ASSIGN(at, cursor.next());
  }
  return {};
}

}  // namespace blockarch
