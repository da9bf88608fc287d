#include "objects/loose_store.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/coding.h"

namespace blockarch {
namespace {

enum class Codec : std::uint8_t { raw = 0, zstd = 1, zstd_from_base = 2 };

// byte 0: codec in the low four bits, kind in the high four.
struct Head {
  Codec codec = Codec::raw;
  LooseStore::Stored stored;
  ByteView body;
};

Bytes put_head(Codec codec, ObjectKind kind, std::uint64_t size) {
  Bytes out;
  out.push_back(static_cast<char>(static_cast<int>(codec) | static_cast<int>(kind) << 4));
  put_varint(out, size);
  return out;
}

Result<Head> read_head(ByteView value) {
  ByteReader reader(value);
  const std::uint8_t first = reader.byte();
  Head head;
  head.stored.size = reader.varint_up_to(kMaxObjectSize);
  if ((first & 15) > static_cast<int>(Codec::zstd_from_base)) reader.fail();
  head.codec = static_cast<Codec>(first & 15);
  if (head.codec == Codec::zstd_from_base) {
    head.stored.depth = reader.byte();
    head.stored.base = reader.hash();
    if (head.stored.depth == 0 || head.stored.depth > kMaxLooseDepth) reader.fail();
  }
  if (!reader.ok()) return Error{ErrorCode::corrupt, "a stored object has a malformed head"};
  BA_ASSIGN(head.stored.kind, kind_from_number(first >> 4));
  head.body = reader.rest();
  return head;
}

Error damaged(const Hash256& id, std::string_view why) {
  return {ErrorCode::corrupt, fmt::format("object {} is damaged: {}: run blockarch fsck", short_id(id), why)};
}

}  // namespace

LooseObject make_loose_object(const ObjectId& id, ByteView content, const LooseBase* base) {
  // A difference carries its base's id, so it must win by clearly more than that.
  constexpr std::size_t kBaseCost = 33;
  // Packs compress anew, and better.
  constexpr int kLevel = 1;
  Bytes body = zstd_compress(content, kLevel);
  Codec codec = Codec::zstd;
  if (body.size() >= content.size()) {
    body = content;
    codec = Codec::raw;
  }
  if (base && base->depth < kMaxLooseDepth && body.size() > 2 * kBaseCost) {
    Bytes difference = zstd_compress(content, kLevel, base->content);
    if (difference.size() + kBaseCost < body.size() * 3 / 4) {
      Bytes value = put_head(Codec::zstd_from_base, id.kind, content.size());
      value.push_back(static_cast<char>(base->depth + 1));
      put_hash(value, base->id);
      return {id, value + difference};
    }
  }
  return {id, put_head(codec, id.kind, content.size()) + body};
}

Result<LooseStore::Stored> LooseStore::describe(ByteView value) {
  BA_ASSIGN(const Head head, read_head(value));
  return head.stored;
}

// Recursion is bounded by the depth in each head, which must fall by at least one from an object to its base.
Result<std::optional<LooseStore::Found>> LooseStore::find_stored(const Hash256& id, std::uint8_t max_depth) const {
  BA_ASSIGN(const auto value, transaction_.get(table_, id.view()));
  if (!value) return std::optional<Found>();
  auto head = read_head(*value);
  if (!head) return damaged(id, head.error().message);

  if (head->stored.depth > max_depth) return damaged(id, "its chain of differences does not end");
  Found found{{head->stored.kind, {}}, head->stored.depth};
  if (head->codec == Codec::raw) {
    if (head->body.size() != head->stored.size) return damaged(id, "its size is wrong");
    found.object.content = head->body;
  } else {
    std::shared_ptr<const Bytes> base;
    if (head->codec == Codec::zstd_from_base) {
      BA_ASSIGN(base, find_base_content(*head->stored.base, static_cast<std::uint8_t>(head->stored.depth - 1)));
      if (!base) return damaged(id, fmt::format("its base {} is missing", short_id(*head->stored.base)));
    }
    auto content = zstd_decompress(head->body, head->stored.size, base ? ByteView(*base) : ByteView());
    if (!content) return damaged(id, content.error().message);
    found.object.content = std::move(*content);
  }
  if (hash_object(found.object.kind, found.object.content) != id) return damaged(id, "its content has another hash");
  if (found.object.kind != ObjectKind::block) recent_bases_.add(id, found.object.content);
  return std::optional<Found>(std::move(found));
}

Result<std::shared_ptr<const Bytes>> LooseStore::find_base_content(const Hash256& id, std::uint8_t max_depth) const {
  if (auto recent = recent_bases_.find(id)) return recent;
  BA_ASSIGN(auto found, find_stored(id, max_depth));
  if (found) return std::make_shared<const Bytes>(std::move(found->object.content));
  if (!elsewhere_) return std::shared_ptr<const Bytes>();
  BA_ASSIGN(auto moved, elsewhere_->find(id));
  return moved ? std::make_shared<const Bytes>(std::move(moved->content)) : nullptr;
}

Result<std::optional<Object>> LooseStore::find(const Hash256& id) const {
  BA_ASSIGN(auto found, find_stored(id));
  if (!found) return std::optional<Object>();
  return std::optional<Object>(std::move(found->object));
}

Result<std::optional<LooseBase>> LooseStore::find_base(const Hash256& id) const {
  BA_ASSIGN(auto found, find_stored(id));
  if (!found || found->depth >= kMaxLooseDepth) return std::optional<LooseBase>();
  return std::optional<LooseBase>(LooseBase{id, found->depth, std::move(found->object.content)});
}

Result<bool> LooseStore::contains(const Hash256& id) const {
  BA_ASSIGN(const auto value, transaction_.get(table_, id.view()));
  return value.has_value();
}

Result<std::vector<Hash256>> LooseStore::find_prefix(std::string_view hex, std::size_t limit) const {
  std::string low(hex);
  for (char& c : low) c = static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c);
  std::string padded = low;
  padded.resize(64, '0');
  const auto from = Hash256::from_hex(padded);
  std::vector<Hash256> found;
  if (!from) return found;
  BA_ASSIGN(Cursor cursor, transaction_.cursor(table_));
  BA_ASSIGN(auto entry, cursor.seek(from->view()));
  while (entry && found.size() < limit && to_hex(entry->key).starts_with(low)) {
    if (entry->key.size() == 32) found.push_back(Hash256::from_bytes(entry->key));
    BA_ASSIGN(entry, cursor.next());
  }
  return found;
}

}  // namespace blockarch
